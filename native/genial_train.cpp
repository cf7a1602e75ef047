// `make net`: trains the network of Génial! for one number of players, and writes its weights.
//
//   genial_train PLAYERS GAMES SEED BEGIN STATE WEIGHTS
//
// BEGIN is 0 to train from nothing, or the number of players whose network in WEIGHTS to go on from: as
// many, or one fewer. STATE holds what an interrupted run needs to go on; WEIGHTS is the file that the bots read, in which
// only the network for this number of players is replaced. One line of JSON for each point of the
// curve goes to the standard output.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "genial_train.h"

using namespace tuilerie::genial;

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "genial_train: %s\n", why.c_str());
    std::exit(1);
}

// Replaces a file at once, so that an interruption leaves the old one.
template <typename Fill>
void replace_file(const std::string& path, Fill fill) {
    const std::string part = path + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (!file) fail("cannot write " + part);
    bool good = true;
    fill([&](const void* bytes, std::size_t size) {
        good = good && std::fwrite(bytes, 1, size, file) == size;
    });
    good = std::fclose(file) == 0 && good;
    if (!good || std::rename(part.c_str(), path.c_str()) != 0) fail("cannot write " + path);
}

std::string read_all(const std::string& path) {
    std::string bytes;
    if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
        char piece[65536];
        for (std::size_t size; (size = std::fread(piece, 1, sizeof piece, file)) > 0;)
            bytes.append(piece, size);
        std::fclose(file);
    }
    return bytes;
}

// Most of what was learnt with fewer players, or in a shorter training, is still right.
template <int RADIUS>
void begin_with(Trainer<RADIUS>& trainer, const std::string& path, int players) {
    static NetFile file;
    if (read_net(read_all(path), file) || !file.has(players))
        fail("train the network for " + std::to_string(players) + " players first");
    trainer.begin_with(file.of(players), players);
}

void write_weights(const std::string& path, int players, const Net& net) {
    static NetFile file;
    if (const std::string bytes = read_all(path); bytes.empty() || read_net(bytes, file)) file = NetFile{};
    file.nets[players - 2] = net;
    seal_net(file);
    replace_file(path, [&](auto write) { write(&file, sizeof file); });
}

template <int RADIUS>
void train(const Recipe& recipe, int from, const std::string& state, const std::string& weights) {
    auto trainer = std::make_unique<Trainer<RADIUS>>(recipe);
    if (from) begin_with(*trainer, weights, from);
    if (std::FILE* file = std::fopen(state.c_str(), "rb")) {
        std::uint64_t seed = 0, games = 0;
        const auto read = [&](void* to, std::size_t size) { return std::fread(to, 1, size, file) == size; };
        if (!read(&seed, sizeof seed) || !read(&games, sizeof games) || seed != recipe.seed ||
            games != recipe.games || !trainer->load(read))
            fail(state + " is of another run; remove it to begin anew");
        std::fclose(file);
    }
    const auto begin = Clock::now();
    const auto first_state = trainer->states();
    auto saved = begin;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    while (trainer->games() < recipe.games) {
        trainer->play();
        const auto games = trainer->games();
        const bool last = games == recipe.games;
        if (games % std::max<std::uint64_t>(1, recipe.games / 20) == 0 || last) {
            // Never more time for the curve than for the training.
            const auto played = std::clamp<std::uint64_t>(recipe.games / 400, 20, 200);
            const double share = trainer->against_greedy(last ? 200 : static_cast<int>(played));
            const double passed = seconds();
            std::printf("{\"games\": %llu, \"states\": %llu, \"against_greedy\": %.3f, \"seconds\": %.1f, "
                        "\"states_per_second\": %.0f}\n",
                        static_cast<unsigned long long>(games),
                        static_cast<unsigned long long>(trainer->states()), share, passed,
                        static_cast<double>(trainer->states() - first_state) / passed);
            std::fflush(stdout);
            write_weights(weights, recipe.players, trainer->net());
        }
        if (last || Clock::now() - saved > std::chrono::seconds(60)) {
            saved = Clock::now();
            replace_file(state, [&](auto write) {
                write(&recipe.seed, sizeof recipe.seed);
                write(&recipe.games, sizeof recipe.games);
                trainer->save(write);
            });
        }
    }
}

}  // namespace

int main(int count, char** words) {
    if (count != 7) fail("expected: PLAYERS GAMES SEED BEGIN STATE WEIGHTS");
    Recipe recipe;
    recipe.players = std::atoi(words[1]);
    recipe.games = std::strtoull(words[2], nullptr, 10);
    recipe.seed = std::strtoull(words[3], nullptr, 10);
    const int from = std::atoi(words[4]);
    if (from) recipe.go_on();
    if (recipe.games < 1) fail("GAMES must be positive");
    if (from && from != recipe.players && (from != recipe.players - 1 || from < 2))
        fail("BEGIN must be 0, PLAYERS, or one fewer");
    switch (recipe.players) {
        case 2: train<5>(recipe, from, words[5], words[6]); break;
        case 3: train<6>(recipe, from, words[5], words[6]); break;
        case 4: train<7>(recipe, from, words[5], words[6]); break;
        default: fail("PLAYERS must be from 2 to 4");
    }
    return 0;
}
