// The draws and the folding of the differential test, the same as in differential.in.mlw.

/// The state, and whether numbers stay tiny: only so are the stricter `requires` met often enough.
pub struct Draw(u64, bool);

impl Draw {
    fn new(seed: u64) -> Self {
        let mut draw = Draw(seed, false);
        draw.1 = draw.small(2) == 1;
        draw
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 32
    }

    pub fn small(&mut self, below: u64) -> u64 {
        self.next() % below
    }

    /// Small numbers often, any number sometimes, and the largest.
    pub fn number(&mut self) -> u64 {
        let kind = self.small(16);
        let low = self.next();
        if self.1 {
            return low % 2;
        }
        match kind {
            0..8 => low % 6,
            8..12 => low % 300,
            12..14 => low,
            14 => self.0,
            _ => u64::MAX - low % 4,
        }
    }

    /// Slices are mostly of one length, as most functions want them.
    pub fn shared(&mut self) -> u64 {
        let most = if self.1 { 3 } else { 5 };
        self.small(most)
    }

    pub fn length(&mut self, shared: u64) -> u64 {
        let kind = self.small(16);
        let other = self.small(5);
        if kind == 0 { other } else { shared }
    }
}

pub fn fold(folded: u64, value: u64) -> u64 {
    folded.wrapping_mul(1099511628211).wrapping_add(value).wrapping_add(7)
}

fn run(name: &str, function: fn(&mut Draw) -> Option<u64>) {
    let (mut line, mut draws, mut folded) = (name.to_owned(), Vec::new(), 0);
    let (mut found, mut last) = (0, 0);
    for draw in SEED..SEED + DRAWS_MAX {
        if found == INPUTS {
            break;
        }
        let Some(value) = function(&mut Draw::new(draw)) else { continue };
        found += 1;
        folded = fold(folded, value);
        draws.push((draw - last).to_string());
        last = draw;
        if draws.len() == CHUNK {
            line += &format!(" {folded}:{}", draws.join(","));
            (draws, folded) = (Vec::new(), 0);
        }
    }
    println!("{line}");
}

