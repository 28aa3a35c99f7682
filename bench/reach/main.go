// Command reach compares anyurl get with curl and lftp: one large object over
// ftp and over http, and a folder of small files over ftp. It starts vsftpd and
// nginx on loopback, runs the clients in interleaved rounds, each into the same
// folder, emptied before, and prints of each the lowest and the median wall time,
// the lowest processor time and the most memory.
//
//	go run ./reach [-rounds N] [-size MiB] [-files N] [-dir DIR]
//
// It wants Linux, root (for vsftpd), and the Debian packages vsftpd,
// nginx-light, curl and lftp; what is missing is left out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A contender is a client's command line, with the file or folder it writes.
type contender struct {
	name string
	argv func(out string) []string
	in   string // its standard input
}

// A tally is what a client's runs took.
type tally struct {
	walls  []time.Duration
	cpu    time.Duration // the lowest
	memory int64         // KiB, the most
}

func main() {
	rounds := flag.Int("rounds", 7, "how many interleaved rounds")
	size := flag.Int64("size", 1024, "the large object's size in MiB")
	files := flag.Int("files", 1000, "how many small files of 16 KiB")
	dir := flag.String("dir", "/dev/shm", "where to work; memory keeps the disk out of it")
	flag.Parse()
	if err := run(*rounds, *size, *files, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "reach:", err)
		os.Exit(3)
	}
}

func run(rounds int, size int64, files int, base string) error {
	dir, err := os.MkdirTemp(base, "reach")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	tree := filepath.Join(dir, "tree")
	if err := os.MkdirAll(filepath.Join(tree, "many"), 0o755); err != nil {
		return err
	}
	large, err := os.Create(filepath.Join(tree, "large.bin"))
	if err != nil {
		return err
	}
	block := bytes.Repeat([]byte("0123456789abcde\n"), 64<<10)
	for range size {
		if _, err := large.Write(block); err != nil {
			return err
		}
	}
	if err := large.Close(); err != nil {
		return err
	}
	var names []string
	for i := range files {
		name := fmt.Sprintf("f%04d.bin", i)
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(tree, "many", name), block[:16<<10], 0o644); err != nil {
			return err
		}
	}
	anyurl := filepath.Join(dir, "anyurl")
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "anyurl").Output()
	if err != nil {
		return fmt.Errorf("finding anyurl: %w", err)
	}
	build := exec.Command("go", "build", "-o", anyurl, "./cmd/anyurl") // with its own module's needs
	build.Dir = strings.TrimSpace(string(where))
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building anyurl: %w", err)
	}

	ftp, stop, err := vsftpd(dir, tree)
	if err != nil {
		return err
	}
	defer stop()
	web, stop, err := nginx(dir, tree)
	if err != nil {
		return err
	}
	defer stop()

	out := filepath.Join(dir, "out")
	get := func(url string) []contender {
		return have(
			contender{name: "anyurl", argv: func(out string) []string { return []string{anyurl, "get", "--max-size", "64G", "-o", out + "/x", url} }},
			contender{name: "curl", argv: func(out string) []string { return []string{"curl", "-s", "-o", out + "/x", url} }},
			contender{name: "lftp", argv: func(out string) []string {
				return []string{"lftp", "-c", "get " + url + " -o " + out + "/x"}
			}},
		)
	}
	var urls strings.Builder
	for _, n := range names {
		fmt.Fprintf(&urls, "ftp://%s/many/%s\n", ftp, n)
	}
	list := filepath.Join(dir, "config")
	var config strings.Builder
	for _, n := range names {
		fmt.Fprintf(&config, "url = \"ftp://%s/many/%s\"\noutput = \"%s/%s\"\n", ftp, n, out, n)
	}
	if err := os.WriteFile(list, []byte(config.String()), 0o644); err != nil {
		return err
	}
	many := have(
		contender{name: "anyurl", in: urls.String(), argv: func(string) []string { return []string{anyurl, "get", "-O", "-"} }},
		contender{name: "curl", argv: func(string) []string { return []string{"curl", "-s", "-K", list} }},
		contender{name: "curl -Z", argv: func(string) []string { return []string{"curl", "-s", "-Z", "-K", list} }},
		contender{name: "lftp, 16 at once", argv: func(out string) []string {
			return []string{"lftp", "-c", "set ftp:use-mdtm no; open ftp://" + ftp + "; mirror -P 16 /many " + out}
		}},
	)
	fmt.Printf("%s; %s; %d rounds\n\n", processor(), runtime.Version(), rounds)
	fmt.Println("| task | client | wall s, lowest | median | processor s | memory MiB |\n|---|---|--:|--:|--:|--:|")
	for _, task := range []struct {
		name    string
		clients []contender
		want    int64 // octets in the end
	}{
		{fmt.Sprintf("%d MiB over ftp", size), get("ftp://" + ftp + "/large.bin"), size << 20},
		{fmt.Sprintf("%d MiB over http", size), get("http://" + web + "/large.bin"), size << 20},
		{fmt.Sprintf("%d files of 16 KiB over ftp", files), many, int64(files) * 16 << 10},
	} {
		results := make([]tally, len(task.clients))
		for range rounds {
			for i, c := range task.clients {
				if err := os.RemoveAll(out); err != nil {
					return err
				}
				if err := os.Mkdir(out, 0o755); err != nil {
					return err
				}
				if err := measure(&results[i], c, out, task.want); err != nil {
					fmt.Fprintf(os.Stderr, "reach: %s, %s: %v\n", task.name, c.name, err)
				}
			}
		}
		for i, c := range task.clients {
			if r := results[i]; len(r.walls) > 0 {
				slices.Sort(r.walls)
				fmt.Printf("| %s | %s | %.2f | %.2f | %.2f | %.0f |\n", task.name, c.name, r.walls[0].Seconds(), r.walls[len(r.walls)/2].Seconds(), r.cpu.Seconds(), float64(r.memory)/1024)
			}
		}
	}
	return os.RemoveAll(out)
}

// have leaves out the clients that are not installed.
func have(all ...contender) []contender {
	var out []contender
	for _, c := range all {
		if _, err := exec.LookPath(c.argv("")[0]); err == nil {
			out = append(out, c)
		}
	}
	return out
}

func measure(all *tally, c contender, out string, want int64) error {
	argv := c.argv(out)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = out
	cmd.Stdin = strings.NewReader(c.in)
	var said bytes.Buffer
	cmd.Stderr = &said
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %.200s", err, said.String())
	}
	wall := time.Since(start)
	var got int64
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			got += info.Size()
		}
	}
	if got != want {
		return fmt.Errorf("%d octets came, not %d", got, want)
	}
	state := cmd.ProcessState
	cpu := state.UserTime() + state.SystemTime()
	memory := int64(0)
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		memory = usage.Maxrss
	}
	if len(all.walls) == 0 || cpu < all.cpu {
		all.cpu = cpu
	}
	all.walls = append(all.walls, wall)
	all.memory = max(all.memory, memory)
	return nil
}

// vsftpd serves tree and gives its address.
func vsftpd(dir, tree string) (addr string, stop func(), err error) {
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		return "", nil, err
	}
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	conf := filepath.Join(dir, "vsftpd.conf")
	text := fmt.Sprintf("listen=YES\nlisten_address=127.0.0.1\nlisten_port=%d\nbackground=NO\nanonymous_enable=YES\nanon_root=%s\nlocal_enable=NO\n"+
		"pasv_address=127.0.0.1\nconnect_from_port_20=NO\nseccomp_sandbox=NO\nsecure_chroot_dir=%s\nxferlog_enable=NO\nmax_per_ip=0\n", port, tree, empty)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return "", nil, err
	}
	return start(port, look("vsftpd"), conf)
}

// nginx serves tree and gives its address.
func nginx(dir, tree string) (addr string, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	conf := filepath.Join(dir, "nginx.conf")
	text := fmt.Sprintf("daemon off; pid %[1]s/pid; error_log %[1]s/err.log; worker_processes 1; events{}\nhttp{ access_log off; sendfile on; "+
		"client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;\n"+
		"server{ listen 127.0.0.1:%[2]d; root %[3]s; } }\n", dir, port, tree)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		return "", nil, err
	}
	return start(port, look("nginx"), "-c", conf, "-e", filepath.Join(dir, "err.log"))
}

func look(program string) string {
	if p, err := exec.LookPath(program); err == nil {
		return p
	}
	return "/usr/sbin/" + program
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func start(port int, argv ...string) (addr string, stop func(), err error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		cmd.Wait()
	}
	addr = fmt.Sprintf("127.0.0.1:%d", port)
	for range 200 {
		if conn, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
			conn.Close()
			return addr, stop, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	return "", nil, fmt.Errorf("%s takes no connections", argv[0])
}

// processor is the machine's, as Linux names it.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return fmt.Sprintf("%s, %d cores", strings.TrimSpace(value), runtime.NumCPU())
		}
	}
	return runtime.GOARCH
}
