// Times the crate linkify over a file that is in memory: the best of some
// passes, in bytes a nanosecond.
//
//   linkify-bench schemed|all FILE...
use linkify::{LinkFinder, LinkKind};
use std::time::Instant;

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
        let (mut best, mut links) = (f64::MAX, 0);
        let begin = Instant::now();
        let mut passes = 0;
        while passes < 5 || begin.elapsed().as_secs_f64() < 1.0 && passes < 50 {
            let t = Instant::now();
            links = finder.links(&text).map(|l| l.end() - l.start() > 0).filter(|x| *x).count();
            best = best.min(t.elapsed().as_secs_f64());
            passes += 1;
        }
        println!("linkify-rs\t{}\t{}\t{}\t{:.4}", mode, name, links, text.len() as f64 / best / 1e9);
    }
}
