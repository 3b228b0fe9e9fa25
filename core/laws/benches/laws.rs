//! What a decision costs: one call of each kernel, on inputs as a frame has them.
//! Prints the figures and judges none of them; `cargo bench -p eukhe-laws`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use laws::ledger::{Phase, flush};
use laws::selection::{Cell, Span, Unit, select, span_in_row};
use laws::{band, contrast, indexed, luminance, pace, ramp, retry, speed, stack};

fn pacing(criterion: &mut Criterion) {
    criterion.bench_function("pace/frame", |bencher| {
        bencher.iter(|| pace::frame(black_box(2), black_box(3), black_box(5_400), black_box(5_000)));
    });
}

fn commits(criterion: &mut Criterion) {
    const COMMITTED: usize = 5_000;
    let mut blocks = vec![Phase::Committed; COMMITTED];
    blocks.extend([Phase::Final, Phase::Active, Phase::Final]);
    criterion.bench_function("ledger/flush of 1 behind 5,000 committed", |bencher| {
        bencher.iter(|| {
            blocks[COMMITTED] = Phase::Final;
            flush(black_box(&mut blocks), black_box(COMMITTED))
        });
    });
}

fn placing(criterion: &mut Criterion) {
    let heights: Vec<u64> = (0..40).map(|child| 1 + child % 7).collect();
    let (mut rows, mut tops) = (vec![0; heights.len()], vec![0; heights.len()]);
    criterion.bench_function("stack/40 children", |bencher| {
        bencher.iter(|| stack::stack(black_box(&heights), black_box(48), &mut rows, &mut tops));
    });
}

fn usage(criterion: &mut Criterion) {
    criterion.bench_function("band/band", |bencher| {
        bencher.iter(|| band::band(black_box(123_456), black_box(200_000)));
    });
}

fn rates(criterion: &mut Criterion) {
    criterion.bench_function("speed/tokens_of_units", |bencher| {
        bencher.iter(|| speed::tokens_of_units(black_box(123_456)));
    });
    criterion.bench_function("speed/tokens_per_s", |bencher| {
        bencher.iter(|| speed::tokens_per_s(black_box(1_234), black_box(23_456)));
    });
    criterion.bench_function("speed/prefill", |bencher| {
        bencher.iter(|| speed::prefill(black_box(1_000), black_box(90_000), black_box(3_000)));
    });
}

fn colors(criterion: &mut Criterion) {
    criterion.bench_function("ramp/rung", |bencher| {
        bencher.iter(|| ramp::rung(black_box(0x5c), black_box(0xca), black_box(3), black_box(7)));
    });
    criterion.bench_function("luminance/luminance", |bencher| {
        bencher.iter(|| luminance::luminance(black_box(0x7e), black_box(0xca), black_box(0xb8)));
    });
    let (ink, coal) = (luminance::luminance(0x7e, 0xca, 0xb8), luminance::luminance(0x16, 0x18, 0x1b));
    criterion.bench_function("contrast/holds", |bencher| {
        bencher.iter(|| contrast::holds(black_box(ink), black_box(coal), black_box(450)));
    });
    let mint = indexed::Color { red: 0x7e, green: 0xca, blue: 0xb8 };
    criterion.bench_function("indexed/nearest_index", |bencher| {
        bencher.iter(|| indexed::nearest_index(black_box(mint)));
    });
}

fn selecting(criterion: &mut Criterion) {
    let cell = |row, column| Cell { row, column };
    let at = |row, column| Span { first: cell(row, column), last: cell(row, column + 4) };
    criterion.bench_function("selection/select and one row", |bencher| {
        bencher.iter(|| {
            let selection = select(black_box(Unit::Word), black_box(at(40, 12)), black_box(at(7, 60)));
            span_in_row(selection, black_box(20), black_box(120))
        });
    });
}

fn retries(criterion: &mut Criterion) {
    criterion.bench_function("retry/retry_delay_ms", |bencher| {
        bencher.iter(|| retry::retry_delay_ms(black_box(3), black_box(2_000), black_box(60_000), 0, black_box(125)));
    });
}

criterion_group!(laws, pacing, commits, placing, usage, rates, colors, selecting, retries);
criterion_main!(laws);
