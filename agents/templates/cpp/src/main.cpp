// Connects the strategy with the referee; there is nothing to edit here.
#include <cstdlib>
#include <exception>
#include <iostream>

#include "referee.hpp"
#include "strategy.hpp"

int main() {
    try {
        referee::play(choose);
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
