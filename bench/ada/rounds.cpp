// Rounds is the part of the benchmark that runs in C++: it reads strings, one a line
// of FILE, and does one round over them for each line that it gets, with the same
// work as the Go programs beside it. For each PIECE strings it answers with the
// nanoseconds that they took, and then with how many of them are URLs.
//
//	rounds FILE parse|print|can|resolve PIECE wall|cpu [BASE]
#include "ada.h"

#include <time.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using url = ada::url_aggregator;

volatile size_t sink;  // keeps results from being optimised away

bool take(std::string_view task, std::string_view text, const url* base) {
  if (task == "can") return ada::can_parse(text);
  auto result = ada::parse<url>(text, base);
  if (!result) return false;
  if (task != "parse") sink = sink + result->get_href().size();
  return true;
}

// now gives nanoseconds of the clock, or of the processor's time of this process.
long long now(bool cpu) {
  timespec t;
  clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  std::ifstream file(argv[1]);
  const std::string task = argv[2];
  const size_t piece = std::stoul(argv[3]);
  const bool cpu = std::string_view(argv[4]) == "cpu";
  std::vector<std::string> texts;
  for (std::string line; std::getline(file, line);) texts.push_back(line);
  url parsed;
  const url* base = nullptr;
  if (argc > 5) {
    auto result = ada::parse<url>(argv[5]);
    if (!result) return 2;
    parsed = *result;
    base = &parsed;
  }
  std::cout << ADA_VERSION << std::endl;
  for (std::string again; std::getline(std::cin, again);) {
    size_t taken = 0;
    for (size_t from = 0; from < texts.size(); from += piece) {
      const size_t to = std::min(texts.size(), from + piece);
      const auto start = now(cpu);
      for (size_t i = from; i < to; i++) taken += take(task, texts[i], base);
      std::cout << now(cpu) - start << ' ';
    }
    std::cout << taken << std::endl;
  }
}
