// What Python may ask of the compiled core for this game. Coarse calls only, without the GIL.
#include <nanobind/nanobind.h>

#include "random.h"

namespace nb = nanobind;

NB_MODULE(_blockers, module) {
    module.attr("GAME") = "blockers";
}
