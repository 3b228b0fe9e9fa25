use std::sync::Arc; use std::sync::mpsc::*; use std::time::*;
use ratatui_core::style::{Color, Style as Ink};
use screen::*; use terminal::*; use ports::*;
fn main(){
 let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
 let mut inks=[Ink::new();Role::COUNT]; inks[Role::Accent.index()]=Ink::new().fg(Color::Rgb(90,100,230));
 let palette=Arc::new(Palette{inks,canvas:Ink::new()});
 let (tx,rx)=channel(); let mut tty=Tty::open(Options::of_process().unwrap(),Arc::new(move|e|{let _=tx.send(e);})).unwrap();
 let mut size=Size{cols:80,rows:24}; let mut number=0; let mut done=0; let mut pending=0; let mut inflight=false;
 let mut last=Instant::now(); let mut hold:Option<Instant>=None;
 loop {
  while let Ok(e)=rx.recv_timeout(Duration::from_millis(5)) { match e { TerminalEvent::Resized(s)=>size=s,
    TerminalEvent::Painted{fate,..}=>{inflight=false; match fate{Fate::Written=>{done+=pending;} Fate::Stale{size:s}=>{size=s;}} pending=0;},
    TerminalEvent::Terminate{code}=>{tty.leave(vec![]);std::process::exit(code)}, _=>{} } }
  if let Some(h)=hold { if h.elapsed()>Duration::from_secs(2) {break;} }
  if inflight || last.elapsed()<Duration::from_millis(25) {continue;} last=Instant::now();
  number+=1; pending= (((number*3)%5) as usize).min(n-done); if done==n && hold.is_none() {hold=Some(Instant::now());}
  let history=(done..done+pending).flat_map(|i|{let words=2+(i*7)%19; let text:Vec<String>=(0..words).map(|j|format!("<{i:04}.{j:02}>{}",if j%3==2{[" plain ascii words"," 漢字かな混じり文"," e\u{301} cafe"," longwordxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"][(i+j)%4]}else{""})).collect();
     let text=format!("{} <{i:04}.zz>",text.join(" ")); let spans=[Span::new(if i%2==0{Role::Accent}else{Role::Text},text)];
     if i%3==0 {wrap::wrap_cells(&spans,size.cols as usize)} else {wrap::wrap(&spans,&wrap::WrapOptions{width_cols:size.cols as usize,first_indent:&[],next_indent:&[],unbroken:None})}}).map(Arc::new).collect();
  let h=3+((number*5)%10) as usize; let mut live:Vec<Arc<Row>>=(0..h-2).map(|j|Arc::new(Row::of(Role::Text,format!("~L{j:02} f{number:04} {}","~".repeat(if j%2==0{20}else{10}))))).collect();
  live.push(Arc::new(Row::of(Role::Text,"~> composer caret~~~"))); live.push(Arc::new(Row::of(Role::Text,"~S status ~~~~")));
  inflight=true; tty.paint(Frame{number,size,surface:Surface::Inline{history,live},caret:Some(Caret{row:h-2,col:9}),palette:palette.clone(),title:Some("t".into())});
 }
 tty.leave(vec!["END OF RUN".into()]);
}
