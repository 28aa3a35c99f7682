package main

import "testing"

func BenchmarkTask(b *testing.B) {
	urls, err := read("../../shared/data/urls/real-urls.txt")
	if err != nil {
		b.Skip(err)
	}
	for _, t := range tasks() {
		in := t.input(urls)
		b.Run(t.name, func(b *testing.B) {
			for b.Loop() {
				t.by[0].run(in)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in)), "ns/url")
		})
	}
}
