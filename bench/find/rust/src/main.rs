// Times the crate linkify over a file that is in memory as ../../speed times
// ours: in pieces of a MiB, the best time of each, in bytes a nanosecond.
//
//   linkify-bench schemed|all FILE...
use linkify::{LinkFinder, LinkKind};
use std::time::{Duration, Instant};

// cut divides text into pieces of a MiB, and what is left of the line there.
fn cut(mut text: &str) -> Vec<&str> {
    const SIZE: usize = 1 << 20;
    let mut pieces = Vec::new();
    while text.len() > SIZE {
        let n = match text.as_bytes()[SIZE..].iter().position(|&c| c == b'\n') {
            Some(k) => SIZE + k + 1,
            None => text.len(),
        };
        let (piece, rest) = text.split_at(n);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mode = args.next().expect("schemed or all");
    let mut finder = LinkFinder::new();
    if mode == "schemed" {
        finder.kinds(&[LinkKind::Url]);
    } else {
        finder.url_must_have_scheme(false);
    }
    for name in args {
        let bytes = std::fs::read(&name).expect("a readable file");
        let text = String::from_utf8_lossy(&bytes);
        let pieces = cut(&text);
        let mut best = vec![Duration::MAX; pieces.len()];
        let mut links = vec![0; pieces.len()];
        let begin = Instant::now();
        let mut turn = 0;
        while turn < 3 || begin.elapsed().as_secs() < 2 && turn < 50 {
            for (i, piece) in pieces.iter().enumerate() {
                let t = Instant::now();
                links[i] = finder.links(piece).map(|l| l.end() - l.start() > 0).filter(|x| *x).count();
                best[i] = best[i].min(t.elapsed());
            }
            turn += 1;
        }
        let sum: Duration = best.iter().sum();
        let links: usize = links.iter().sum();
        println!("linkify-rs\t{}\t{}\t{}\t{:.4}", mode, name, links, text.len() as f64 / sum.as_nanos() as f64);
    }
}
