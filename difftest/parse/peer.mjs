// Answers each line, a JSON array of [input, base], with the readings of a URL
// class: Node's own, or that of the package whatwg-url.
import { createInterface } from "node:readline";

const Reader = process.argv[2] === "whatwg-url" ? (await import("whatwg-url")).URL : URL;

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const answers = JSON.parse(line).map(([input, base]) => {
    try {
      const u = base === "" ? new Reader(input) : new Reader(input, base);
      return [u.href, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash];
    } catch {
      return null;
    }
  });
  process.stdout.write(JSON.stringify(answers) + "\n");
}
