// Large tables: zeroed, and touched only where they are used.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace nousu::NOUSU_ISA {

// Asks the memory for what will be read soon.
inline void fetch(const void* soon) {
#if defined(__GNUC__)
    __builtin_prefetch(soon);
#else
    (void)soon;
#endif
}

template <class T>
class Store {
public:
    explicit Store(std::size_t size) : size_(size), data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
        if (!data_) throw std::bad_alloc();
    }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T* at(std::size_t i) const { return data_.get() + i; }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(T* data) const { std::free(data); }
    };
    std::size_t size_;
    std::unique_ptr<T, Free> data_;
};

}  // namespace nousu::NOUSU_ISA
