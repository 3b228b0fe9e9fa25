//! `bash`.

use std::time::{Duration, Instant};

use ports::Call;
use protocol::{Requirement, RequirementKind, ToolOutcome, ToolOutput};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::{World, run, sink};

fn output(outcome: ToolOutcome, text: &str, fact: &str) -> ToolOutput {
    ToolOutput { outcome, text: text.to_owned(), shown: None, facts: vec![fact.to_owned()], duration_ms: 0 }
}

fn command(world: &World, command: &str) -> Box<dyn Call> {
    world.prepare("bash", &json!({ "command": command })).expect("the arguments fit")
}

async fn bash(world: &World, line: &str) -> ToolOutput {
    run(command(world, line)).await
}

/// The processes whose command line holds a word, zombies left out.
fn processes(word: &str) -> Vec<String> {
    let commands = std::fs::read_dir("/proc").expect("the system has it").filter_map(|entry| {
        let command = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&command).replace('\0', " "))
    });
    commands.filter(|command| command.contains(word)).collect()
}

/// Starts a call, waits for its first output, cancels it, and returns what came and how long the end took.
async fn cancel_after_first_output(world: &World, line: &str) -> (ToolOutput, Duration) {
    let (sink, chunks) = sink();
    let cancel = CancellationToken::new();
    let running = tokio::spawn(command(world, line).run(sink, cancel.clone()));
    while chunks.lock().expect("nothing panics while it holds it").is_empty() {
        tokio::task::yield_now().await;
    }
    let cancelled = Instant::now();
    cancel.cancel();
    let output = running.await.expect("the call does not panic");
    (ToolOutput { duration_ms: 0, ..output }, cancelled.elapsed())
}

#[tokio::test]
async fn a_command_runs_in_the_workspace_and_tells_all_it_said_in_order() {
    let world = World::new();
    let call = command(&world, "pwd; echo err >&2; echo out\nexit 3");
    assert_eq!(call.summary(), "$ pwd; echo err >&2; echo out");
    assert_eq!(call.preview(), "pwd; echo err >&2; echo out\nexit 3");
    let description = "run pwd; echo err >&2; echo out".to_owned();
    assert_eq!(call.requirements(), [Requirement { kind: RequirementKind::Command, description }]);
    let text = format!("{}\nerr\nout\n[exit 3]\n", world.workspace.display());
    assert_eq!(run(call).await, output(ToolOutcome::Failed, &text, "exit 3"));
}

#[tokio::test]
async fn a_command_without_output_says_how_it_ended() {
    let world = World::new();
    assert_eq!(bash(&world, "true").await, output(ToolOutcome::Done, "[exit 0]\n", "exit 0"));
    assert_eq!(bash(&world, "echo -n x").await, output(ToolOutcome::Done, "x", "exit 0"));
    assert_eq!(bash(&world, "kill -SEGV $$").await, output(ToolOutcome::Failed, "[signal 11]\n", "signal 11"));
}

#[tokio::test]
async fn there_is_no_input_and_no_terminal() {
    let world = World::new();
    let line = "cat; read -r _ _ _ _ _ session _ < /proc/$$/stat; test $session = $$ && echo own session; echo $TERM";
    assert_eq!(bash(&world, line).await, output(ToolOutcome::Done, "own session\ndumb\n", "exit 0"));
}

/// The other half of the next test, which starts it with credentials in its environment.
#[tokio::test]
async fn has_credentials() {
    if std::env::var_os("EUKHE_TEST_CREDENTIALS").is_none() {
        return;
    }
    let world = World::new();
    let wanted = output(ToolOutcome::Done, "EUKHE_TEST_CREDENTIALS=yes\n", "exit 0");
    assert_eq!(bash(&world, "env | grep -E 'API_KEY|EUKHE_TEST'").await, wanted);
}

#[test]
fn no_command_sees_a_credential() {
    let result = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["bash::has_credentials", "--exact"])
        .envs([("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b"), ("EUKHE_TEST_CREDENTIALS", "yes")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stdout);
    assert!(result.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    let world = World::new();
    let wanted = "a\u{fffd}b\u{20ac}\n";
    assert_eq!(bash(&world, r"printf 'a\xffb\xe2\x82\xac\n'").await, output(ToolOutcome::Done, wanted, "exit 0"));
}

#[tokio::test]
async fn live_output_never_splits_a_character() {
    let world = World::new();
    let (sink, chunks) = sink();
    let line = r"printf 'a\xe2\x82'; sleep 0.2; printf '\xac\n'";
    command(&world, line).run(sink, CancellationToken::new()).await;
    assert_eq!(*chunks.lock().unwrap(), ["a", "\u{20ac}\n"]);
}

#[tokio::test]
async fn a_flood_is_handed_on_in_few_pieces_and_only_its_end_is_kept() {
    let world = World::new();
    let (sink, chunks) = sink();
    let result = command(&world, "seq 1 200000").run(sink, CancellationToken::new()).await;
    let duration_ms = result.duration_ms;
    let file = std::fs::read_dir(&world.context.blobs).unwrap().next().unwrap().unwrap().path();
    let whole: String = (1..=200_000).map(|number| format!("{number}\n")).collect();
    let end: String = (198_001..=200_000).map(|number| format!("{number}\n")).collect();
    let missing = whole.len() - end.len();
    let row =
        format!("[198000 earlier lines, {missing} bytes, are not shown; the whole output is in {}]\n", file.display());
    let wanted = output(ToolOutcome::Done, &format!("{end}{row}"), "exit 0");
    assert_eq!(ToolOutput { duration_ms: 0, ..result }, wanted);
    assert_eq!(std::fs::read_to_string(file).unwrap(), whole);
    let count = chunks.lock().unwrap().len() as u64;
    // One each 30 ms, and one for each 64 KiB.
    let count_max = duration_ms / 30 + whole.len() as u64 / 65_536 + 2;
    assert!(count <= count_max, "{count} pieces in {duration_ms} ms");
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_stopped_with_what_it_said() {
    let world = World::new();
    let arguments = json!({ "command": "echo begun; sleep 4711.1", "timeout_seconds": 1 });
    let result = run(world.prepare("bash", &arguments).unwrap()).await;
    let wanted = output(ToolOutcome::Failed, "begun\n[timed out after 1s]\n", "timed out after 1s");
    assert_eq!(result, wanted);
    assert_eq!(processes("sleep 4711.1"), [""; 0]);
}

#[tokio::test]
async fn a_cancelled_command_leaves_nothing_of_its_tree_behind() {
    let world = World::new();
    let line = "(sleep 4711.2 & sleep 4711.2) & bash -c 'sleep 4711.2 & echo up; wait' & wait";
    let (result, took) = cancel_after_first_output(&world, line).await;
    assert_eq!(result, output(ToolOutcome::Cancelled, "up\n[cancelled]\n", "cancelled"));
    assert!(took < Duration::from_millis(200), "{took:?}");
    assert_eq!(processes("sleep 4711.2"), [""; 0]);
}

#[tokio::test]
async fn a_command_that_refuses_to_end_is_killed_in_time() {
    let world = World::new();
    let line = "trap '' TERM INT HUP; echo up; while :; do sleep 4711.3; done";
    let (result, took) = cancel_after_first_output(&world, line).await;
    assert_eq!(result, output(ToolOutcome::Cancelled, "up\n[cancelled]\n", "cancelled"));
    assert!(took < Duration::from_millis(200), "{took:?}");
    assert_eq!(processes("sleep 4711.3"), [""; 0]);
}

#[tokio::test]
async fn a_child_that_got_away_and_holds_the_pipe_hangs_nothing() {
    let world = World::new();
    let line = "setsid bash -c 'trap \"\" TERM; sleep 3' & echo up; sleep 4711.4";
    let (result, took) = cancel_after_first_output(&world, line).await;
    assert_eq!(result, output(ToolOutcome::Cancelled, "up\n[cancelled]\n", "cancelled"));
    assert!(took < Duration::from_millis(200), "{took:?}");
}

#[tokio::test]
async fn a_call_that_is_dropped_takes_its_processes_with_it() {
    let world = World::new();
    let (sink, chunks) = sink();
    let call = command(&world, "echo up; sleep 4711.5").run(sink, CancellationToken::new());
    let running = tokio::spawn(call);
    while chunks.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    running.abort();
    while !processes("sleep 4711.5").is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_runs_on_in_the_background_is_stopped_and_told_when_the_shell_ends() {
    let world = World::new();
    let started = Instant::now();
    let wanted = "up\n[what still ran in the background was stopped]\n";
    assert_eq!(bash(&world, "sleep 4711.6 & echo up").await, output(ToolOutcome::Done, wanted, "exit 0"));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    let silent = bash(&world, "sleep 4711.6 >/dev/null 2>&1 & echo up").await;
    assert_eq!(silent, output(ToolOutcome::Done, wanted, "exit 0"));
    assert_eq!(processes("sleep 4711.6"), [""; 0]);
}

#[tokio::test]
async fn a_shell_that_closes_its_output_is_still_waited_for() {
    let world = World::new();
    let line = "exec >&- 2>&-; sleep 0.2; exit 5";
    assert_eq!(bash(&world, line).await, output(ToolOutcome::Failed, "[exit 5]\n", "exit 5"));
}

#[tokio::test(start_paused = true)]
async fn a_paused_clock_of_the_program_does_not_time_a_command_out() {
    let world = World::new();
    assert_eq!(bash(&world, "sleep 0.1; echo ok").await, output(ToolOutcome::Done, "ok\n", "exit 0"));
}

#[tokio::test]
async fn a_shell_that_is_not_there_is_told_with_the_setting() {
    let world = World::new();
    let options = tools::BashOptions { shell: "/no/shell".into(), timeout_s: 5, timeout_s_max: 5 };
    let tool = tools::all(options).pop().unwrap();
    let result = run(tool.prepare(r#"{"command":"ls"}"#, &world.context).unwrap()).await;
    let text = "the shell /no/shell cannot be started: No such file or directory (os error 2); \
                the setting `shellPath` names another";
    let wanted = ToolOutput { facts: vec![], ..output(ToolOutcome::Failed, text, "") };
    assert_eq!(result, wanted);
}

#[test]
fn the_shell_is_the_set_one_else_the_users_else_the_systems() {
    let user = Some(std::ffi::OsStr::new("/bin/bash"));
    let shells = [tools::shell("/bin/zsh", user), tools::shell("", user), tools::shell("", None)];
    assert_eq!(shells, ["/bin/zsh", "/bin/bash", "/bin/sh"].map(std::path::PathBuf::from));
}
