package gateway

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics count what the gateway does, in a registry of its own. No label holds
// anything a stranger wrote.
type metrics struct {
	http.Handler
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	opened   *prometheus.CounterVec
	hits     *prometheus.CounterVec
	octets   prometheus.Counter
	active   prometheus.Gauge
	sessions prometheus.Gauge

	fromCache, fromNetwork prometheus.Counter
	pages                  prometheus.Counter // those that are answered with 200: nearly all
	pageSeconds            prometheus.Observer
}

func newMetrics(g *Gateway) *metrics {
	r := prometheus.NewRegistry()
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "anyurl_http_requests_total", Help: "Requests answered, by kind and status."}, []string{"kind", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "anyurl_http_request_seconds", Help: "Time to answer a request, by kind.",
			Buckets: []float64{.0005, .001, .005, .025, .1, .5, 1, 2.5, 5, 10, 30, 120}}, []string{"kind"}),
		opened: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "anyurl_objects_total", Help: "Objects asked for, by scheme and outcome: ok, or the step that failed."}, []string{"scheme", "outcome"}),
		hits:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "anyurl_cache_lookups_total", Help: "Where an object or a page came from."}, []string{"from"}),
		octets: prometheus.NewCounter(prometheus.CounterOpts{Name: "anyurl_object_octets_total", Help: "Octets of objects received."}),
		active: prometheus.NewGauge(prometheus.GaugeOpts{Name: "anyurl_http_requests_active", Help: "Requests being answered."}),
		sessions: prometheus.NewGauge(prometheus.GaugeOpts{Name: "anyurl_terminals_open",
			Help: "Terminals open."}),
	}
	m.pages, m.pageSeconds = m.requests.WithLabelValues("page", "200"), m.seconds.WithLabelValues("page")
	m.fromCache, m.fromNetwork = m.hits.WithLabelValues("cache"), m.hits.WithLabelValues("network")
	r.MustRegister(m.requests, m.seconds, m.opened, m.hits, m.octets, m.active, m.sessions,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "anyurl_cache_octets", Help: "Octets kept in the cache."}, func() float64 { return float64(g.cache.octets()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "anyurl_objects_opening", Help: "Objects being opened."}, func() float64 { return float64(g.limit.busy()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{})
	return m
}

func (m *metrics) served(kind string, status int, took time.Duration) {
	if kind == "page" && status == http.StatusOK {
		m.pages.Inc()
		m.pageSeconds.Observe(took.Seconds())
		return
	}
	m.requests.WithLabelValues(kind, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(kind).Observe(took.Seconds())
}

func (m *metrics) hit() { m.fromCache.Inc() }

// outcome counts an object. The scheme is one of those that are opened.
func (m *metrics) outcome(scheme, how string) {
	m.fromNetwork.Inc()
	m.opened.WithLabelValues(scheme, how).Inc()
}
