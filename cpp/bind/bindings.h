// The parts of Python's door.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace nousu {
// So many weights of nets: 16 bits each, the low byte first. No bytes are no nets.
inline std::vector<std::int16_t> weights_of(const nanobind::bytes& nets, std::size_t many) {
    std::vector<std::int16_t> found(nets.size() / 2);
    if (nets.size() && nets.size() != 2 * many) throw std::invalid_argument("these are not the nets");
    const auto* at = reinterpret_cast<const std::uint8_t*>(nets.c_str());
    for (std::int16_t& one : found) one = static_cast<std::int16_t>(at[0] | at[1] << 8), at += 2;
    return found;
}

void add_environments(nanobind::module_& m);
void add_tuppen(nanobind::module_& m);
void add_huutopussi(nanobind::module_& m);
}  // namespace nousu
