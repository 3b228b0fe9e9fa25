//! Bytes of an event stream to the data of its events.
//! Looks at `data` lines only: both wires say in the data what an event is.

use crate::wire::Fault;

/// A longer event is no answer of a model: the stream fails.
const EVENT_BYTES_MAX: usize = 16 << 20;

/// Holds what came of an event whose end has not come yet.
#[derive(Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
}

impl Events {
    /// Takes bytes and pushes the data of every event they complete; those before a fault are good.
    pub(crate) fn take(&mut self, bytes: &[u8], complete: &mut Vec<String>) -> Result<(), Fault> {
        for &byte in bytes {
            // A return, a feed and both together each end one line.
            let ends_pair = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
            match byte {
                b'\n' if ends_pair => {}
                b'\n' | b'\r' => self.end_line(complete)?,
                _ => self.line.push(byte),
            }
            if self.line.len() + self.data.len() > EVENT_BYTES_MAX {
                return Err(Fault::TooLong);
            }
        }
        Ok(())
    }

    fn end_line(&mut self, complete: &mut Vec<String>) -> Result<(), Fault> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            if std::mem::take(&mut self.has_data) {
                complete.push(String::from_utf8(data).map_err(|_| Fault::Undecodable)?);
            }
        } else if let Some(value) = line.strip_prefix(b"data:") {
            if std::mem::replace(&mut self.has_data, true) {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(pieces: &[&[u8]]) -> (Vec<String>, Result<(), Fault>) {
        let (mut events, mut complete) = (Events::default(), vec![]);
        let result = pieces.iter().try_for_each(|piece| events.take(piece, &mut complete));
        (complete, result)
    }

    #[test]
    fn every_kind_of_line_end_ends_a_line_wherever_the_bytes_are_cut() {
        let text = "event: a\ndata: one\n\n: comment\r\n\r\ndata:two\r\ndata: \u{e9}\r\n\r\rdata: three\r\r".as_bytes();
        let expected = vec!["one".to_owned(), "two\n\u{e9}".to_owned(), "three".to_owned()];
        for cut in 0..=text.len() {
            assert_eq!(decoded(&[&text[..cut], &text[cut..]]), (expected.clone(), Ok(())), "cut at {cut}");
        }
    }

    #[test]
    fn an_event_without_its_end_is_not_delivered() {
        assert_eq!(decoded(&[b"data: whole\n\ndata: half\n"]), (vec!["whole".to_owned()], Ok(())));
    }

    #[test]
    fn data_that_is_no_text_is_a_fault_and_what_came_before_it_is_good() {
        let bytes = b"data: good\n\ndata: \xff\xfe\n\ndata: later\n\n";
        assert_eq!(decoded(&[bytes]), (vec!["good".to_owned()], Err(Fault::Undecodable)));
    }

    #[test]
    fn an_endless_line_is_refused_at_the_limit() {
        let megabyte = vec![b'x'; 1 << 20];
        let (mut events, mut complete) = (Events::default(), vec![]);
        let accepted = (0..32).take_while(|_| events.take(&megabyte, &mut complete).is_ok()).count();
        assert_eq!((accepted, complete), (16, vec![]));
    }
}
