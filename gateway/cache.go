package gateway

import (
	"container/list"
	"sync"
	"time"
)

// A cache keeps what was opened and the pages made of it, the last used longest,
// within a number of octets.
type cache struct {
	mu    sync.Mutex
	limit int64
	size  int64
	now   func() time.Time
	order *list.List // of *kept, the last used first
	byKey map[string]*list.Element
}

// A kept is one entry.
type kept struct {
	key     string
	value   any
	size    int64
	expires time.Time
}

// overhead is about what an entry costs besides its octets.
const overhead = 512

func newCache(limit int64, now func() time.Time) *cache {
	return &cache{limit: limit, now: now, order: list.New(), byKey: map[string]*list.Element{}}
}

// get gives what is kept under the key and still fresh.
func (c *cache) get(key string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	k := e.Value.(*kept)
	if !c.now().Before(k.expires) {
		c.drop(e)
		return nil, false
	}
	c.order.MoveToFront(e)
	return k.value, true
}

// put keeps a value. One that would take up an eighth of all room is not worth
// what it drives out.
func (c *cache) put(key string, value any, octets int64, expires time.Time) {
	size := octets + int64(len(key)) + overhead
	if size > c.limit/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.drop(e)
	}
	c.byKey[key] = c.order.PushFront(&kept{key, value, size, expires})
	for c.size += size; c.size > c.limit; {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	k := c.order.Remove(e).(*kept)
	delete(c.byKey, k.key)
	c.size -= k.size
}

// octets is how much is kept.
func (c *cache) octets() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

// answer gives the page that was made for a target.
func (c *cache) answer(target string) (*answer, bool) {
	v, ok := c.get("page " + target)
	if !ok {
		return nil, false
	}
	return v.(*answer), true
}

// object gives what was opened.
func (c *cache) object(url string) (*object, bool) {
	v, ok := c.get("object " + url)
	if !ok {
		return nil, false
	}
	return v.(*object), true
}
