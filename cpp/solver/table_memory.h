// Memory of large tables: zeroed, and touched only where used.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace nousu::NOUSU_ISA {

// Load memory that will be read soon into the cache.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

template <class T>
class ZeroedArray {
public:
    explicit ZeroedArray(std::size_t size) : size_(size), block_(std::calloc(size * sizeof(T) + alignof(T) - 1, 1)) {
        if (!block_) throw std::bad_alloc();
        const auto at = reinterpret_cast<std::uintptr_t>(block_.get());
        data_ = static_cast<T*>(static_cast<void*>(static_cast<char*>(block_.get()) + (-at & (alignof(T) - 1))));
    }
    T& operator[](std::size_t i) { return data_[i]; }
    const T* at(std::size_t i) const { return data_ + i; }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(void* data) const { std::free(data); }
    };
    std::size_t size_;
    std::unique_ptr<void, Free> block_;
    T* data_;
};

}  // namespace nousu::NOUSU_ISA
