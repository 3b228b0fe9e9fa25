//! `read`, `edit` and `write`.

use std::os::unix::fs::{PermissionsExt, symlink};

use protocol::{Requirement, RequirementKind, ToolOutcome, ToolOutput};
use serde_json::json;

use crate::world::{World, mode, run};

fn done(text: &str, shown: Option<&str>, facts: &[&str]) -> ToolOutput {
    let facts = facts.iter().map(|fact| (*fact).to_owned()).collect();
    let shown = shown.map(str::to_owned);
    ToolOutput { outcome: ToolOutcome::Done, text: text.to_owned(), shown, facts, duration_ms: 0 }
}

fn failed(text: &str) -> ToolOutput {
    ToolOutput { outcome: ToolOutcome::Failed, ..done(text, None, &[]) }
}

#[test]
fn every_tool_tells_the_model_what_it_takes() {
    let world = World::new();
    for name in ["read", "edit", "write", "bash"] {
        let spec = world.tool(name).spec();
        let schema: serde_json::Value = serde_json::from_str(&spec.schema).unwrap();
        assert_eq!(schema["additionalProperties"], json!(false), "{name}");
        let described = schema["properties"].as_object().unwrap().values().all(|it| it["description"].is_string());
        assert!(described && spec.description.len() < 1_200 && !spec.description.contains('{'), "{name}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_answered_with_what_is_wrong() {
    let world = World::new();
    let refusal = |name: &str, arguments: &str| world.tool(name).prepare(arguments, &world.context).err().unwrap();
    let wanted = "the arguments of `read` are no JSON: EOF while parsing a string at line 1 column 11; \
                  send one whole JSON object";
    assert_eq!(refusal("read", r#"{"path": "a"#), wanted);
    assert_eq!(refusal("read", ""), "the arguments of `read` do not fit: missing field `path` at line 1 column 2");
    let wanted = "the arguments of `write` do not fit: unknown field `text`, expected `path` or `content` \
                  at line 1 column 19";
    assert_eq!(refusal("write", r#"{"path":"a", "text": "b"}"#), wanted);
    assert_eq!(refusal("read", r#"{"path":"a","limit":0}"#), "`offset` and `limit` begin at 1");
    assert_eq!(refusal("bash", r#"{"command":" "}"#), "`command` is empty or holds a zero byte; give a command");
    assert_eq!(refusal("bash", r#"{"command":"ls","timeout_seconds":61}"#), "`timeout_seconds` may be 1 to 60");
}

#[tokio::test]
async fn lines_are_numbered_and_a_range_says_how_to_go_on() {
    let world = World::new();
    world.file("a.txt", "one\r\ntwo\nthree");
    let whole = world.call("read", json!({ "path": "a.txt" })).await;
    assert_eq!(whole, Ok(done("     1\tone\n     2\ttwo\n     3\tthree\n", None, &["3 lines"])));
    let part = world.prepare("read", &json!({ "path": "a.txt", "offset": 2, "limit": 1 })).unwrap();
    assert_eq!(part.summary(), "a.txt lines 2 to 2");
    let wanted = done("     2\ttwo\n[lines 2 to 2 of 3; go on with offset 3]", None, &["1 line"]);
    assert_eq!(run(part).await, wanted);
    let beyond = world.call("read", json!({ "path": "a.txt", "offset": 4 })).await;
    assert_eq!(beyond, Ok(failed("a.txt has only 3 lines")));
}

#[tokio::test]
async fn a_long_file_is_cut_by_lines_and_by_bytes() {
    let world = World::new();
    world.file("lines", &"x\n".repeat(2_001));
    let output = world.call("read", json!({ "path": "lines" })).await.unwrap();
    assert!(output.text.ends_with("  2000\tx\n[lines 1 to 2000 of 2001; go on with offset 2001]"));
    world.file("bytes", &format!("{}\n", "y".repeat(1_000)).repeat(100));
    let output = world.call("read", json!({ "path": "bytes" })).await.unwrap();
    assert!(output.text.ends_with("[lines 1 to 50 of 100; go on with offset 51]"));
    world.file("wide", &"z".repeat(5_000));
    let output = world.call("read", json!({ "path": "wide" })).await.unwrap();
    assert!(output.text.ends_with("zz [3000 more characters]\n"));
}

#[tokio::test]
async fn what_is_no_text_file_is_told() {
    let world = World::new();
    world.file("data", "ab\0c");
    world.file("empty", "");
    std::fs::create_dir(world.workspace.join("src")).unwrap();
    world.file("src/b.rs", "");
    std::fs::create_dir(world.workspace.join("src/a")).unwrap();
    let read = async |name: &str| world.call("read", json!({ "path": name })).await.unwrap();
    let wanted = "data is no text but 4 bytes of data; use `bash` with a program that reads it";
    assert_eq!(read("data").await, failed(wanted));
    assert_eq!(read("empty").await, done("[the file is empty]", None, &["empty"]));
    let wanted = "src is a directory; give the path of a file in it:\na/\nb.rs";
    assert_eq!(read("src").await, failed(wanted));
    let wanted = "missing does not exist; look for it with `bash`, such as `rg --files | rg name`";
    assert_eq!(read("missing").await, failed(wanted));
    let wanted = "/dev/zero is a device or a pipe, no file";
    assert_eq!(read("/dev/zero").await, failed(wanted));
}

#[tokio::test]
async fn an_edit_shows_its_diff_before_and_keeps_mode_and_ends_of_lines() {
    let world = World::new();
    let path = world.file("run.sh", "#!/bin/sh\r\necho a\r\necho b\r\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    world.read("run.sh").await;
    let arguments = json!({ "path": "run.sh", "old_text": "echo a\necho b", "new_text": "echo c\necho d\necho e" });
    let call = world.prepare("edit", &arguments).unwrap();
    let diff = "--- a/run.sh\n+++ b/run.sh\n@@ -1,3 +1,4 @@\n #!/bin/sh\n-echo a\n-echo b\n+echo c\n+echo d\n+echo e\n";
    assert_eq!((call.summary().as_str(), call.preview().as_str()), ("run.sh", diff));
    let requirement = Requirement { kind: RequirementKind::WriteInside, description: "write run.sh".into() };
    assert_eq!(call.requirements(), [requirement]);
    assert_eq!(run(call).await, done("changed run.sh: +3 -2", Some(diff), &["+3 -2"]));
    assert_eq!(world.content("run.sh"), "#!/bin/sh\r\necho c\r\necho d\r\necho e\r\n");
    assert_eq!(mode(&path), 0o755);
    let names: Vec<_> = std::fs::read_dir(&world.workspace).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["run.sh"]);
}

#[tokio::test]
async fn a_file_is_read_before_it_is_changed_and_must_be_as_it_was() {
    let world = World::new();
    world.file("a", "one\n");
    let edit = json!({ "path": "a", "old_text": "one", "new_text": "two" });
    let refusal = |arguments| world.prepare("edit", arguments).err().unwrap();
    assert_eq!(refusal(&edit), "a was not read yet; read it first, then change it");
    world.read("a").await;
    world.file("a", "one more\n");
    assert_eq!(refusal(&edit), "a has changed since it was read; read it again, then change it");
    let write = world.prepare("write", &json!({ "path": "a", "content": "x" })).err().unwrap();
    assert_eq!(write, "a has changed since it was read; read it again, then change it");
    assert_eq!(world.content("a"), "one more\n");
}

#[tokio::test]
async fn a_file_that_changes_while_an_edit_waits_is_left_alone() {
    let world = World::new();
    world.file("a", "one\n");
    world.read("a").await;
    let edit = world.prepare("edit", &json!({ "path": "a", "old_text": "one", "new_text": "two" })).unwrap();
    let write = world.prepare("write", &json!({ "path": "a", "content": "x" })).unwrap();
    let new = world.prepare("write", &json!({ "path": "b", "content": "x" })).unwrap();
    world.file("a", "one by a person\n");
    world.file("b", "by a person\n");
    let wanted = failed("a has changed since it was read; read it again, then change it");
    assert_eq!(run(edit).await, wanted);
    assert_eq!(run(write).await, wanted);
    assert_eq!(run(new).await, failed("b has changed since it was read; read it again, then change it"));
    assert_eq!((world.content("a"), world.content("b")), ("one by a person\n".into(), "by a person\n".into()));
}

#[tokio::test]
async fn two_edits_of_one_step_both_hold_if_neither_touches_the_others_lines() {
    let world = World::new();
    world.file("a", "one\ntwo\nthree\n");
    world.read("a").await;
    let edit = |old: &str, new: &str| {
        world.prepare("edit", &json!({ "path": "a", "old_text": old, "new_text": new })).unwrap()
    };
    let (first, second, third) = (edit("one", "1"), edit("three", "3"), edit("one\ntwo", "x"));
    let (first, second) = tokio::join!(run(first), run(second));
    assert_eq!((first.outcome, second.outcome), (ToolOutcome::Done, ToolOutcome::Done));
    assert_eq!(run(third).await.outcome, ToolOutcome::Failed);
    assert_eq!(world.content("a"), "1\ntwo\n3\n");
}

#[tokio::test]
async fn text_that_is_not_there_or_there_often_is_told_with_where_to_look() {
    let world = World::new();
    world.file("a.rs", "fn main() {\n    let x = 1;\n    let x = 1;\n    print(x);\n}\n");
    world.read("a.rs").await;
    let refusal = |old: &str| {
        let arguments = json!({ "path": "a.rs", "old_text": old, "new_text": "" });
        world.prepare("edit", &arguments).err().unwrap()
    };
    let wanted = "`old_text` stands in a.rs 2 times (lines 2, 3); add lines around it to make it unique, \
                  or set `replace_all`";
    assert_eq!(refusal("let x = 1;"), wanted);
    let missing = "`old_text` does not stand in a.rs";
    assert_eq!(
        refusal("let x = 1;\nprint(x);"),
        format!("{missing}; from line 3 it differs only in blanks; copy them exactly")
    );
    assert_eq!(
        refusal("    print(y);"),
        format!("{missing}; nearest is line 4: `print(x);`; read the file again and copy the text exactly")
    );
    assert_eq!(
        refusal("     4\t    print(x);"),
        format!("{missing}; leave out the line numbers that `read` puts in front")
    );
    assert_eq!(refusal("€€€€€€"), format!("{missing}; nothing comes near; read the file again"));
    assert_eq!(refusal(""), "`old_text` is empty; give the text to replace, or use `write` for a new file");
}

#[tokio::test]
async fn all_occurrences_are_replaced_when_asked() {
    let world = World::new();
    world.file("a", "x x\nx\n");
    world.read("a").await;
    let arguments = json!({ "path": "a", "old_text": "x", "new_text": "yx", "replace_all": true });
    assert_eq!(world.call("edit", arguments).await.unwrap().facts, ["+2 -2"]);
    assert_eq!(world.content("a"), "yx yx\nyx\n");
}

#[tokio::test]
async fn an_edit_that_would_now_hit_more_than_was_approved_is_not_made() {
    let world = World::new();
    world.file("a", "x\ny\n");
    world.read("a").await;
    let all = json!({ "path": "a", "old_text": "x", "new_text": "z", "replace_all": true });
    let all = world.prepare("edit", &all).unwrap();
    let one = json!({ "path": "a", "old_text": "y", "new_text": "x" });
    assert_eq!(world.call("edit", one).await.unwrap().outcome, ToolOutcome::Done);
    assert_eq!(run(all).await, failed("a has changed since it was read; read it again, then change it"));
    assert_eq!(world.content("a"), "x\nx\n");
}

#[tokio::test]
async fn lines_added_in_the_place_of_one_end_as_the_file_does() {
    let world = World::new();
    world.file("a", "one\r\ntwo\r\n");
    world.read("a").await;
    let arguments = json!({ "path": "a", "old_text": "two", "new_text": "2\n3" });
    assert_eq!(world.call("edit", arguments).await.unwrap().outcome, ToolOutcome::Done);
    assert_eq!(world.content("a"), "one\r\n2\r\n3\r\n");
}

#[tokio::test]
async fn a_file_with_both_ends_of_lines_keeps_each() {
    let world = World::new();
    world.file("a", "one\r\ntwo\nthree\nfour\r\nfive\n");
    world.read("a").await;
    for (old, new) in [("two\nthree", "2\n3"), ("four\nfive", "4\n5")] {
        let output = world.call("edit", json!({ "path": "a", "old_text": old, "new_text": new })).await;
        assert_eq!(output.unwrap().outcome, ToolOutcome::Done);
    }
    assert_eq!(world.content("a"), "one\r\n2\n3\n4\r\n5\n");
}

#[tokio::test]
async fn a_new_file_gets_its_directories_and_the_usual_mode() {
    let world = World::new();
    let output = world.call("write", json!({ "path": "new/deep/a.txt", "content": "hi\n" })).await;
    let diff = "--- /dev/null\n+++ b/new/deep/a.txt\n@@ -0,0 +1 @@\n+hi\n";
    assert_eq!(output, Ok(done("wrote new/deep/a.txt (new): +1 -0", Some(diff), &["new", "+1 -0"])));
    let usual = world.file("usual", "");
    assert_eq!(mode(&world.workspace.join("new/deep/a.txt")), mode(&usual));
    let edit = json!({ "path": "new/deep/a.txt", "old_text": "hi", "new_text": "ho" });
    assert_eq!(world.call("edit", edit).await.unwrap().outcome, ToolOutcome::Done);
}

#[tokio::test]
async fn a_replaced_file_keeps_its_mode_and_ends_of_lines() {
    let world = World::new();
    let path = world.file("a", "one\r\ntwo\r\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    world.read("a").await;
    let output = world.call("write", json!({ "path": "a", "content": "one\n2\n" })).await.unwrap();
    assert_eq!(output.facts, ["replaced", "+1 -1"]);
    assert_eq!((world.content("a"), mode(&path)), ("one\r\n2\r\n".into(), 0o600));
}

#[tokio::test]
async fn a_link_out_of_the_workspace_asks_for_outside_and_stays_a_link() {
    let world = World::new();
    let real = world.outside.join("real");
    std::fs::write(&real, "one\n").unwrap();
    symlink(&real, world.workspace.join("link")).unwrap();
    let read = world.prepare("read", &json!({ "path": "link" })).unwrap();
    let description = |verb: &str| format!("{verb} {}, written as link", real.display());
    let wanted = Requirement { kind: RequirementKind::ReadOutside, description: description("read") };
    assert_eq!(read.requirements(), [wanted]);
    run(read).await;
    let edit = world.prepare("edit", &json!({ "path": "link", "old_text": "one", "new_text": "two" })).unwrap();
    let wanted = Requirement { kind: RequirementKind::WriteOutside, description: description("write") };
    assert_eq!(edit.requirements(), [wanted]);
    assert_eq!(run(edit).await.outcome, ToolOutcome::Done);
    assert!(world.workspace.join("link").is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "two\n");
}

#[tokio::test]
async fn a_directory_swapped_for_a_link_after_approval_stops_the_write() {
    let world = World::new();
    std::fs::create_dir(world.workspace.join("src")).unwrap();
    let call = world.prepare("write", &json!({ "path": "src/a", "content": "x" })).unwrap();
    std::fs::remove_dir(world.workspace.join("src")).unwrap();
    symlink(&world.outside, world.workspace.join("src")).unwrap();
    assert_eq!(run(call).await, failed("src/a leads elsewhere by now, through a link; look at it again"));
    assert_eq!(std::fs::read_dir(&world.outside).unwrap().count(), 0);
}

#[tokio::test]
async fn a_cancelled_call_changes_nothing() {
    let world = World::new();
    let call = world.prepare("write", &json!({ "path": "a", "content": "x" })).unwrap();
    let cancel = tokio_util::sync::CancellationToken::new();
    cancel.cancel();
    let output = call.run(std::sync::Arc::new(|_| {}), cancel).await;
    let wanted = ToolOutput { outcome: ToolOutcome::Cancelled, ..done("cancelled before it began", None, &[]) };
    assert_eq!(output, wanted);
    assert!(!world.workspace.join("a").exists());
}
