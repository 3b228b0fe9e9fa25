use std::sync::Arc; use std::time::Instant;
use ratatui_core::style::{Color, Style as Ink};
use screen::*; use terminal::Painter;
fn main(){
 let mut inks=[Ink::new();Role::COUNT]; inks[Role::Accent.index()]=Ink::new().fg(Color::Rgb(1,2,3));
 let palette=Arc::new(Palette{inks,canvas:Ink::new()});
 let size=Size{cols:120,rows:40};
 let para=|i:usize|Arc::new(Row::new(vec![Span::new(Role::Text,format!("{i} the quick brown fox jumps over the lazy dog and then ")),Span::new(Role::Accent,"some colored words go here and there"),Span::new(Role::Text," end of row")]));
 for full in [true,false]{ for fresh in [false,true] {
  let mut p=Painter::new(); let mut total=0; let mut worst=0u128; let mut sum=0u128; let n=2000; let mut first=0;let mut text=String::from("x");
  let base:Vec<_>=(0..3000).map(para).collect();
  for k in 0..n { text.push_str(" word"); let scroll= text.len()>100; let mut history=vec![]; if scroll {first+=1; text=String::from("x"); history.push(para(first));}
   let mut rows:Vec<Arc<Row>>=(first..first+34).map(|i|if fresh {para(i)} else {base[i].clone()}).collect();
   rows.push(Arc::new(Row::of(Role::Text,&text))); for s in ["","> ask","status","model"]{rows.push(Arc::new(Row::of(Role::Text,s)));}
   let surface= if full {Surface::Fullscreen{rows}} else {Surface::Inline{history,live:rows}};
   let f=Frame{number:k,size,surface,caret:Some(Caret{row:36,col:2}),palette:palette.clone(),title:None};
   let t=Instant::now(); let b=p.encode(&f); let d=t.elapsed().as_nanos(); if k>0{sum+=d; worst=worst.max(d);total+=b.len();}
  }
  println!("full={full} fresh_rows={fresh}: mean {} ns worst {} ns, {} bytes/frame",sum/n as u128,worst,total/n as usize);
 }}
 let mut p=Painter::new(); let history:Vec<_>=(0..5000).map(para).collect();
 let f=Frame{number:1,size,surface:Surface::Inline{history,live:vec![para(1)]},caret:None,palette:palette.clone(),title:None};
 let t=Instant::now(); let b=p.encode(&f); println!("first 5000 rows {:?} {} bytes",t.elapsed(),b.len());
}
