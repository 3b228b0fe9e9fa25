//! The real tools, asked by the scripted model.

use testkit::Check;

#[test]
fn a_command_runs_after_approval_and_shows_what_it_wrote() {
    Check::inline("60x20").with_real_tools().plays(r#"go <enter> «!tool bash {"command":"echo hello from a shell"}» «end» <until Approve> <tab> y <until exit> «It ran.» «end»"#, r#"

> go

  ✓ bash $ echo hello from a sh…  exit 0 · approved by you

It ran.







> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#);
}

#[test]
fn a_file_is_written_and_read_again() {
    Check::inline("60x24").with_real_tools().plays(r#"go <enter> «!tool write {"path":"a.txt","content":"one\ntwo\n"}» «end» <until Approve> <tab> y <wait 1s> «!tool read {"path":"a.txt"}» «end» <wait 1s> «Done.» «end»"#, r#"

> go

  ✓ write a.txt  new · +2 -0 · approved by you
  ✓ read a.txt  2 lines

Done.








> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#);
}
