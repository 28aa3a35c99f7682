// Rounds is the part of the benchmark that runs in C++: it reads strings, one a line
// of FILE, and does one round over them for each line that it gets, with the same
// work as the Go programs beside it. For each PIECE strings it answers with the
// nanoseconds that they took, and then with how many of them are URLs.
//
//	rounds FILE parse|print|can|resolve PIECE [BASE]
#include "ada.h"

#include <chrono>
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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::ifstream file(argv[1]);
  const std::string task = argv[2];
  const size_t piece = std::stoul(argv[3]);
  std::vector<std::string> texts;
  for (std::string line; std::getline(file, line);) texts.push_back(line);
  url parsed;
  const url* base = nullptr;
  if (argc > 4) {
    auto result = ada::parse<url>(argv[4]);
    if (!result) return 2;
    parsed = *result;
    base = &parsed;
  }
  std::cout << ADA_VERSION << std::endl;
  for (std::string again; std::getline(std::cin, again);) {
    size_t taken = 0;
    for (size_t from = 0; from < texts.size(); from += piece) {
      const size_t to = std::min(texts.size(), from + piece);
      const auto start = std::chrono::steady_clock::now();
      for (size_t i = from; i < to; i++) taken += take(task, texts[i], base);
      const auto spent = std::chrono::steady_clock::now() - start;
      std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count() << ' ';
    }
    std::cout << taken << std::endl;
  }
}
