// Loads worlds with libsdformat: one path on each line of the input, one line of JSON for each.
// Files that others name are looked for below the folders that follow the program's name.

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <sdf/sdf.hh>

static std::vector<std::string> roots;

static double cpu_micros() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static std::string find(const std::string& name) {
  std::string rest = name;
  for (const std::string scheme : {"model://", "file://"})
    if (rest.rfind(scheme, 0) == 0) rest = rest.substr(scheme.size());
  for (const auto& root : roots) {
    const auto path = std::filesystem::path(root) / rest;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path.string();
  }
  return "";
}

int main(int count, char** arguments) {
  roots.assign(arguments + 1, arguments + count);
  sdf::setFindCallback(find);
  // What it has to say about a file would fill the screen; only its time matters here.
  sdf::Console::Instance()->SetQuiet(true);
  std::cout << "{\"engine\": \"libsdformat " << SDF_VERSION_FULL << "\"}" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    const double start = cpu_micros();
    std::size_t errors = 0;
    bool loaded = false;
    {
      sdf::Root root;
      errors = root.Load(line).size();
      loaded = root.WorldCount() > 0 || root.Model() != nullptr;
    }
    std::cout << "{\"cpu_us\": " << cpu_micros() - start << ", \"errors\": " << errors
              << ", \"loaded\": " << (loaded ? "true" : "false") << "}" << std::endl;
  }
  return 0;
}
