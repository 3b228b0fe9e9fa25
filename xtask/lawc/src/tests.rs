//! What is accepted, and what must be refused: a line for each.

use super::*;

/// The WhyML of a file, without its head.
fn said(rust: &str) -> String {
    match translate("file", rust, Purpose::Prove) {
        Ok(module) => {
            module.text.split_once("use prelude.Prelude\n").map_or(String::new(), |(_, text)| text.to_owned())
        }
        Err(refusal) => panic!("refused: {refusal}\n{rust}"),
    }
}

/// The WhyML of an expression in code, where `a` and `b` are numbers, `p` and `q` bools, `s` a slice, `k` a `Kind`
/// and `r` a `Row`.
fn code(expression: &str, returns: &str) -> String {
    let text = said(&format!(
        "{TYPES}fn f(a: u64, b: usize, p: bool, q: bool, s: &[u64], k: Kind, r: Row) -> {returns} {{ {expression} }}"
    ));
    text.rsplit_once("\n  =\n    ").map_or(String::new(), |(_, body)| body.replace("\n\nend\n", ""))
}

/// The WhyML of a condition in a contract, over the same names; `result` is a number.
fn contract(condition: &str) -> String {
    let text = said(&format!(
        "{TYPES}#[ensures(some_law: {condition})] fn f(a: u64, b: usize, p: bool, q: bool, s: &[u64], t: &mut [Kind], k: Kind, r: Row) -> u64 {{ a }}"
    ));
    let (_, clause) = text.split_once("[@expl:some_law] ").expect("the clause is there");
    clause.split_once(" }\n").map_or(String::new(), |(condition, _)| condition.to_owned())
}

fn refused(rust: &str) -> Refusal {
    match translate("file", rust, Purpose::Prove) {
        Ok(module) => panic!("accepted:\n{rust}\n{}", module.text),
        Err(refusal) => refusal,
    }
}

const TYPES: &str = "enum Kind { One, Two } struct Row { top: u64, kind: Kind } const MOST: u64 = 7; \
                     const TABLE: [u64; 3] = [5, 6, 7];\n";

#[test]
fn each_construct_of_code_is_said_in_its_own_way() {
    let cases = [
        ("a + 1", "u64", "(a + (1:uint64))"),
        ("a - 1", "u64", "(a - (1:uint64))"),
        ("a * 1_000", "u64", "(a * (1000:uint64))"),
        ("a / 2 % 3", "u64", "((a / (2:uint64)) % (3:uint64))"),
        ("(a + 1) * 2", "u64", "((a + (1:uint64)) * (2:uint64))"),
        ("u64::MAX - 0x10", "u64", "((18446744073709551615:uint64) - (16:uint64))"),
        ("usize::MAX", "usize", "(18446744073709551615:uint64)"),
        ("MOST", "u64", "(7:uint64)"),
        ("TABLE[b]", "u64", "(table_table b)"),
        ("b as u64", "u64", "b"),
        ("a.min(3)", "u64", "(u_min a (3:uint64))"),
        ("a.max(3)", "u64", "(u_max a (3:uint64))"),
        ("a.saturating_sub(3)", "u64", "(u_saturating_sub a (3:uint64))"),
        ("a.saturating_add(3)", "u64", "(u_saturating_add a (3:uint64))"),
        ("a.abs_diff(3)", "u64", "(u_abs_diff a (3:uint64))"),
        ("s.len()", "usize", "(slice_len s)"),
        ("s[b]", "u64", "(slice_get s b)"),
        ("r.top", "u64", "r.t_row__top"),
        ("a < 1 && p || !q", "bool", "(((a < (1:uint64)) && p) || (not q))"),
        ("a <= 1", "bool", "(a <= (1:uint64))"),
        ("a > 1", "bool", "(a > (1:uint64))"),
        ("a >= 1", "bool", "(a >= (1:uint64))"),
        ("a == 1", "bool", "(a = (1:uint64))"),
        ("a != 1", "bool", "(not (a = (1:uint64)))"),
        ("p == q", "bool", "(eq_bool p q)"),
        ("p != q", "bool", "(not (eq_bool p q))"),
        ("k == Kind::One", "bool", "(eq_t_kind k Kind_One)"),
        ("k != Kind::One", "bool", "(not (eq_t_kind k Kind_One))"),
        ("if p { 1 } else { 2 }", "u64", "(if p then ((1:uint64)) else ((2:uint64)))"),
        (
            "match k { Kind::One => 1, Kind::Two => 2 }",
            "u64",
            "(match k with | Kind_One -> (1:uint64) | Kind_Two -> (2:uint64) end)",
        ),
        ("match k { Kind::One | Kind::Two => 1 }", "u64", "(match k with | Kind_One | Kind_Two -> (1:uint64) end)"),
        ("Row { top: 1, kind: k }", "Row", "{ t_row__top = (1:uint64); t_row__kind = k }"),
        ("Row { top: 1, ..r }", "Row", "{ r with t_row__top = (1:uint64) }"),
        ("let c = a; c", "u64", "let c = a in\n    c"),
        ("let c: u64 = a; c", "u64", "let c = a in\n    c"),
        ("let mut c = a; c = 1; c", "u64", "let ref c = a in\n    c <- (1:uint64);\n    c"),
        ("let mut c = a; c += 1; c", "u64", "let ref c = a in\n    c <- (c + (1:uint64));\n    c"),
        ("let mut c = a; c -= 1; c", "u64", "let ref c = a in\n    c <- (c - (1:uint64));\n    c"),
        ("let mut c = a; c *= 2; c", "u64", "let ref c = a in\n    c <- (c * (2:uint64));\n    c"),
        ("let mut c = a; c /= 2; c", "u64", "let ref c = a in\n    c <- (c / (2:uint64));\n    c"),
        ("let mut c = r; c.top = 1; c", "Row", "let ref c = r in\n    c <- { c with t_row__top = (1:uint64) };\n    c"),
        ("lemma!(a <= 1); a", "u64", "assert { [@expl:lemma a <= 1] ((num a) <= 1) };\n    a"),
        ("a + 1; a", "u64", "let _ = (a + (1:uint64)) in\n    a"),
        ("{ a }", "u64", "(a)"),
    ];
    for (rust, returns, whyml) in cases {
        assert_eq!(code(rust, returns), whyml, "{rust}");
    }
}

#[test]
fn each_construct_of_a_contract_is_said_over_numbers_without_bounds() {
    let cases = [
        ("result == a", "((num result) = (num a))"),
        ("a + 1 <= b as u64", "(((num a) + 1) <= (num b))"),
        ("a as i128 * 2 < 3_i128", "(((num a) * 2) < 3)"),
        ("a - 1 > 0", "(((num a) - 1) > 0)"),
        ("a / 2 % 3 >= 0", "((mod (div (num a) 2) 3) >= 0)"),
        ("a != u64::MAX", "((num a) <> 18446744073709551615)"),
        ("TABLE[b] == MOST", "((m_table_table (num b)) = 7)"),
        ("p && q || !p", "((p /\\ q) \\/ (not p))"),
        ("p == q", "(p <-> q)"),
        ("p != q", "(not (p <-> q))"),
        ("k == Kind::One", "(k = Kind_One)"),
        ("r.kind != k", "(r.t_row__kind <> k)"),
        ("r.top == 1", "((num r.t_row__top) = 1)"),
        ("r == Row { top: a, ..r }", "(((num r.t_row__top) = (num a)) /\\ (r.t_row__kind = r.t_row__kind))"),
        ("s[b] == s.len() as u64", "((num (get s (num b))) = (len s))"),
        ("t[b] == old(t)[b]", "((get t (num b)) = (get (old t) (num b)))"),
        ("old(a) == a", "((num a) = (num a))"),
        ("a.min(1).max(2) == 2", "((MinMax.max (MinMax.min (num a) 1) 2) = 2)"),
        ("a.saturating_sub(1) == 0", "((int_saturating_sub (num a) 1) = 0)"),
        ("a.saturating_add(1) == 0", "((int_saturating_add (num a) 1) = 0)"),
        ("a.abs_diff(1) == 0", "((int_abs_diff (num a) 1) = 0)"),
        ("(0..b).all(|i| s[i] == 0)", "(forall i:int. 0 <= i < (num b) -> ((num (get s i)) = 0))"),
        ("(1..b).any(|i| s[i] == 0)", "(exists i:int. 1 <= i < (num b) /\\ ((num (get s i)) = 0))"),
        ("if p { a == 1 } else { q }", "(if p then ((num a) = 1) else q)"),
        ("match k { Kind::One => p, Kind::Two => q }", "(match k with | Kind_One -> p | Kind_Two -> q end)"),
        ("{ let c = a + 1; c == 2 }", "(let c = ((num a) + 1) in (c = 2))"),
        ("true", "true"),
    ];
    for (rust, whyml) in cases {
        assert_eq!(contract(rust), whyml, "{rust}");
    }
}

#[test]
fn a_loop_takes_its_invariants_and_its_measure_and_then_its_steps() {
    let text = said(
        "fn f(s: &mut [u64]) { let mut i = 0; \
         while i < s.len() { invariant!(i <= s.len()); decreases!(s.len() - i); s[i] = 1; s[i] += 2; i += 1; } }",
    );
    let expected = "while (i < (slice_len s)) do\n      invariant { [@expl:invariant i <= s.len()] ((num i) <= (len s)) }\n      variant { ((len s) - (num i)) }\n    \
                    slice_set s i (1:uint64);\n    slice_set s i ((slice_get s i) + (2:uint64));\n    i <- (i + (1:uint64));\n    ()\n    done";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_field_of_an_element_is_changed_by_writing_the_element_anew() {
    let text = said("struct Row { top: u64, wide: bool } fn f(s: &mut [Row]) { s[0].top = 1; }");
    assert!(
        text.contains("slice_set s (0:uint64) { (slice_get s (0:uint64)) with t_row__top = (1:uint64) }"),
        "{text}"
    );
}

#[test]
fn a_function_of_one_expression_has_a_logical_twin_that_it_must_equal() {
    let text = said("fn f(a: u64, p: bool) -> u64 { if p { a } else { 0 } } fn g(a: u64) -> bool { a < 1 }");
    assert!(text.contains("function m_f (a: int) (p: bool) : int =\n    (if p then a else 0)"), "{text}");
    assert!(text.contains("ensures { [@expl:twin] num result = m_f (num a) p }"), "{text}");
    assert!(text.contains("predicate m_g (a: int) =\n    (a < 1)"), "{text}");
    assert!(text.contains("ensures { [@expl:twin] result <-> m_g (num a) }"), "{text}");
}

#[test]
fn what_a_function_needs_stands_before_it_whatever_the_order_of_the_source() {
    let text = said(
        "#[requires(even(a))] fn f(a: u64) -> u64 { g(a) } fn g(a: u64) -> u64 { a } #[spec] fn even(a: u64) -> bool { a % 2 == 0 }",
    );
    let place = |words: &str| text.find(words).unwrap_or(usize::MAX);
    assert!(place("predicate m_even") < place("let f (a"), "{text}");
    assert!(place("let g (a") < place("let f (a"), "{text}");
}

#[test]
fn a_law_is_true_for_every_argument_and_a_recursion_has_a_measure() {
    let text = said("#[law] #[variant(n)] fn some_law(n: u64) -> bool { if n == 0 { true } else { some_law(n - 1) } }");
    assert!(
        text.contains(
            "let rec some_law (n: uint64) : bool\n    ensures { [@expl:some_law] result }\n    variant { (num n) }"
        ),
        "{text}"
    );
}

#[test]
fn names_that_mean_something_in_whyml_step_aside() {
    let keywords = [
        "val",
        "end",
        "get",
        "num",
        "len",
        "old_",
        "goal",
        "by",
        "so",
        "eq_bool",
        "m_f",
        "slice_get",
        "result_",
        "at",
        "function",
    ];
    for keyword in keywords {
        let text = said(&format!("fn f({keyword}: u64) -> u64 {{ {keyword} }}"));
        assert!(text.contains(&format!("let f ({keyword}_: uint64) : uint64")), "{keyword}: {text}");
    }
}

#[test]
fn for_running_alone_no_contract_is_read() {
    let rust = "#[requires(a < 1)] fn f(a: u64) -> u64 { lemma!(a == 0); a } #[spec] fn g() -> bool { true }";
    let text = translate("file", rust, Purpose::Run).expect("it is in the subset").text;
    assert_eq!(
        text,
        "module File\n  use int.Int\n  use prelude.Prelude\n\n  let f (a: uint64) : uint64\n  =\n    a\n\nend\n"
    );
}

#[test]
fn an_item_outside_the_subset_is_refused() {
    let cases = [
        ("use std::cmp::min;", "item"),
        ("use super::other::f;", "item"),
        ("use contracts::{requires as ensures};", "item"),
        ("use contracts::*;", "item"),
        ("static A: u64 = 1;", "item"),
        ("trait T {}", "item"),
        ("struct A { a: u64 } impl A { fn f(self) {} }", "item"),
        ("mod other { fn f() {} }", "item"),
        ("macro_rules! m { () => {} }", "item"),
        ("type A = u64;", "item"),
        ("enum A {}", "without variants"),
        ("enum A { B(u64) }", "with fields"),
        ("enum A { B = 3 }", "with a number"),
        ("enum A<T> { B }", "parameters"),
        ("struct A(u64);", "named fields"),
        ("struct A;", "named fields"),
        ("struct A {}", "without fields"),
        ("struct A { b: u8 }", "the type `u8`"),
        ("struct A<'a> { b: &'a [u64] }", "parameters"),
        ("const A: i64 = 1;", "constant of this type"),
        ("const A: [u8; 1] = [1];", "constant of this type"),
        ("const A: u64 = f();", "worked out"),
        ("const A: u64 = 1 - 2;", "worked out"),
        ("const A: u64 = 1 << 2;", "worked out"),
        ("const A: [u64; 2] = [0; 2];", "no list"),
        ("#[cfg(unix)] struct A { b: u64 }", "this attribute"),
        ("struct A { #[cfg(unix)] b: u64 }", "this attribute"),
        ("fn f() -> u64 { let mut x = 1; #[cfg(windows)] { x = 2; } x }", "this attribute"),
        ("#![cfg(unix)]", "this attribute"),
        ("#[repr(C)] struct A { b: u64 }", "this attribute"),
    ];
    for (rust, why) in cases {
        let refusal = refused(rust);
        assert!(refusal.what.contains(why), "{rust}: {refusal}");
    }
}

#[test]
fn a_function_outside_the_subset_is_refused() {
    let cases = [
        ("unsafe fn f() {}", "more than `fn`"),
        ("async fn f() {}", "more than `fn`"),
        ("const fn f() {}", "more than `fn`"),
        ("extern \"C\" fn f() {}", "more than `fn`"),
        ("fn f<T>(a: T) {}", "more than `fn`"),
        ("fn f(mut a: u64) {}", "more than a name"),
        ("fn f((a, b): (u64, u64)) {}", "a pattern"),
        ("fn f(a: u32) {}", "the type `u32`"),
        ("fn f(a: i128) {}", "the type `i128`"),
        ("fn f(a: (u64, u64)) {}", "kind of type"),
        ("fn f(a: [u64; 2]) {}", "kind of type"),
        ("fn f(a: &u64) {}", "something else than a slice"),
        ("fn f(a: &[&[u64]]) {}", "a slice of slices"),
        ("fn f(a: Option<u64>) {}", "by its path"),
        ("fn f(a: std::u64) {}", "by its path"),
        ("fn f(result: u64) {}", "contracts use"),
        ("fn f(s: &[u64]) -> &[u64] { s }", "slice as a result"),
        ("fn f() -> u64 { true }", "another kind"),
        ("#[track_caller] fn f() {}", "this attribute"),
        ("#[cfg(unix)] fn f() {}", "this attribute"),
        ("#[law] fn f() -> u64 { 1 }", "a law that is no bool"),
        ("#[ensures(result == 1)] fn f() -> u64 { 1 }", "law_id: condition"),
        ("#[requires] fn f() {}", "without a condition"),
        ("#[spec] #[requires(true)] fn f() -> bool { true }", "a contract of a function"),
        ("fn f(a: u64) -> u64 { f(a) }", "`variant`"),
        ("#[variant(a)] fn f(a: u64) -> u64 { a }", "`variant`"),
        ("#[variant(a)] fn f(a: u64) -> u64 { g(a) } #[variant(a)] fn g(a: u64) -> u64 { f(a) }", "in a circle"),
        ("fn f() {} fn f() {}", "two functions"),
    ];
    for (rust, why) in cases {
        let refusal = refused(rust);
        assert!(refusal.what.contains(why), "{rust}: {refusal}");
    }
}

#[test]
fn a_statement_or_an_operator_outside_the_subset_is_refused() {
    refused_in_code(&[
        ("return a;", "expression"),
        ("loop { }", "expression"),
        ("for i in 0..3 { }", "expression"),
        ("while a < 1 { decreases!(a); break; }", "expression"),
        ("while a < 1 { }", "without `decreases!`"),
        ("while a < 1 { decreases!(a); 5 }", "has a value"),
        ("let c = || a; c();", "expression"),
        ("let c = (a, b);", "expression"),
        ("let (c, d) = (a, b);", "a pattern"),
        ("let c;", "without a value"),
        ("let c = s;", "a let of a slice"),
        ("let c: bool = a;", "another type"),
        ("let c: u32 = 1;", "the type `u32`"),
        ("let c = -1;", "expression"),
        ("let c = !a;", "no bool"),
        ("let c = a & 1;", "operator"),
        ("let c = a << 1;", "operator"),
        ("let c = p & q;", "operator"),
        ("let c = p < q;", "operator"),
        ("let c = k < k;", "operator"),
        ("let c = r == r;", "comparison"),
        ("let c = s == s;", "comparison"),
        ("let c = a == p;", "two kinds"),
        ("let c = a as u32;", "cast"),
        ("let c = a as i128;", "cast"),
        ("let c = p as u64;", "something else than a number"),
    ]);
}

#[test]
fn a_value_or_a_call_outside_the_subset_is_refused() {
    refused_in_code(&[
        ("let c = 1u8;", "literal"),
        ("let c = 18446744073709551616;", "over 64 bits"),
        ("let c = 1.5;", "literal"),
        ("let c = \"text\";", "literal"),
        ("let c = u64::MIN;", "path"),
        ("let c = u32::MAX;", "path"),
        ("let c = Kind::Three;", "path"),
        ("let c = unknown;", "path"),
        ("let c = a.pow(2);", "method"),
        ("let c = a.wrapping_add(2);", "method"),
        ("let c = a.checked_add(2);", "method"),
        ("let c = s.first();", "method"),
        ("let c = s.iter();", "method"),
        ("let c = &s[1..2];", "expression"),
        ("let c = s[1..2];", "expression"),
        ("let c = s.len;", "a field of something else"),
        ("let c = r.width;", "the field `width`"),
        ("let c = unknown(a);", "the function `unknown`"),
        ("let c = u64::max(a, a);", "by a path"),
        ("let c = g(a, a);", "number of arguments"),
        ("let c = g(p);", "argument of another kind"),
        ("let c = told(a);", "only contracts"),
        ("let c = change(t) + 1;", "changes a slice"),
        ("let c = g(change(t));", "changes a slice"),
    ]);
}

#[test]
fn a_choice_or_a_change_outside_the_subset_is_refused() {
    refused_in_code(&[
        ("if change(t) < 1 { }", "changes a slice"),
        ("let c = { let mut d = a; d += 1; d } + 1;", "an assignment inside"),
        ("if p { 1 } else { q };", "two kinds"),
        ("match a { 1 => {}, _ => {} }", "something else than an enum"),
        ("match k { Kind::One => {}, _ => {} }", "no variant"),
        ("match k { Kind::One if p => {}, Kind::Two => {} }", "a guard"),
        ("match k { Kind::One => 1, Kind::Two => p };", "two kinds"),
        ("let c = Row { top: p, kind: k };", "another kind"),
        ("let c = Row { ..r };", "built on"),
        ("let c = Other { top: a };", "a struct of this type"),
        ("a = 5 as u32;", "cast"),
        ("s[0] = p;", "another kind"),
        ("assert!(p);", "statement"),
        ("println!();", "statement"),
        ("invariant!(p);", "statement"),
        ("unsafe { }", "expression"),
        ("'a: while a < 1 { decreases!(a); }", "a label"),
        ("fn inner() {}", "statement"),
        ("let c = a?;", "expression"),
        ("if let Kind::One = k { }", "expression"),
        ("let Kind::One = k else { return };", "a pattern"),
        ("let c = *s;", "expression"),
        ("let c = (0..3).all(|i| p);", "method"),
    ]);
}

/// Each body must be refused, for the reason beside it and on its own line.
fn refused_in_code(cases: &[(&str, &str)]) {
    let others = "fn g(a: u64) -> u64 { a } fn change(t: &mut [u64]) -> u64 { t[0] = 1; 1 } #[spec] fn told(a: u64) -> u64 { a }";
    for (rust, why) in cases {
        let refusal = refused(&format!(
            "{TYPES}{others}\nfn f(a: u64, b: usize, p: bool, q: bool, s: &[u64], t: &mut [u64], k: Kind, r: Row) {{\n{rust}\n}}"
        ));
        assert!(refusal.what.contains(why), "{rust}: {refusal}");
        assert!(refusal.line >= 3, "{rust}: {refusal}");
    }
}

#[test]
fn a_contract_outside_the_subset_is_refused() {
    let cases = [
        ("a", "no bool"),
        ("a == p", "two kinds"),
        ("s == s", "operator"),
        ("p < q", "operator"),
        ("a & 1 == 1", "operator"),
        ("a as u32 == 1", "cast"),
        ("(a as i128 - 5) as u64 == 1", "cast"),
        ("{ let c = a as i128 - 5; c as u64 == 1 }", "cast"),
        ("(a as i128).saturating_add(1) == 1", "no bounds"),
        ("(0..a).all(|a| p)", "bound once more"),
        ("(0..3).all(|result| p)", "bound once more"),
        ("{ let a = 1; a == 1 }", "bound once more"),
        ("unknown == 1", "path"),
        ("unknown(a)", "the function `unknown`"),
        ("loops(a) == 1", "no logical twin"),
        ("old(a + 1) == 1", "the function `old`"),
        ("old(unknown) == 1", "something else than a parameter"),
        ("a.pow(2) == 1", "method"),
        ("s.iter().all(|i| p)", "something else than a range"),
        ("(0..=3).all(|i| p)", "not `from..to`"),
        ("(0..).all(|i| p)", "not `from..to`"),
        ("(0..3).all(|(i, j)| p)", "one variable"),
        ("(0..3).all(told)", "something else than a closure"),
        ("(0..3).find(|i| p)", "method"),
        ("(0..3).all(|i| i)", "no bool"),
        ("if p { q }", "without else"),
        ("{ let mut c = a; c == 1 }", "more than a name"),
        ("{ a; p }", "statement"),
        ("r == Row { top: a }", "without its field"),
        ("r == Row { top: a, wide: p, ..r }", "not there"),
        ("match k { Kind::One => p, _ => q }", "no variant"),
        ("1.5 == 1.5", "literal"),
        ("-1 < 0", "expression"),
    ];
    let others = "fn loops(a: u64) -> u64 { while a < 0 { decreases!(a); } a }";
    for (rust, why) in cases {
        let refusal = refused(&format!(
            "{TYPES}{others}\n#[ensures(some_law: {rust})] fn f(a: u64, p: bool, q: bool, s: &[u64], k: Kind, r: Row) -> u64 {{ a }}"
        ));
        assert!(refusal.what.contains(why), "{rust}: {refusal}");
    }
}

#[test]
fn the_label_of_a_contract_is_no_call_of_a_function_of_that_name() {
    said(
        "#[ensures(some_law: result == a)] fn f(a: u64) -> u64 { a } #[law] fn some_law(a: u64) -> bool { f(a) == a }",
    );
}

#[test]
fn a_refusal_names_the_line() {
    let refusal = refused("//! Text.\n\nfn f(a: u64) -> u64 {\n    a.pow(2)\n}\n");
    assert_eq!(refusal.to_string(), "line 4: not in the subset: the method `pow`");
}
