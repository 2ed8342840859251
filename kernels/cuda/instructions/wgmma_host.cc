// What wgmma does, in plain C++: the host meaning of wgmma.h.
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

#include "kernels/cuda/instructions/wgmma.h"

namespace gb::cuda {
namespace {

using simt::Site;

constexpr unsigned kThreads = 128;  // of a warpgroup
constexpr int kM = 64;

// One product: what each thread said of it. It is made when all have.
struct Product {
  Site site;
  unsigned rank;  // of the block
  std::vector<WgmmaCall> calls{kThreads};
  unsigned started = 0, first = 0;  // by how many threads; the first of them
  bool done = false;
};
struct Warpgroup {
  std::vector<std::shared_ptr<Product>> products;  // in the order of their starts
};
struct ThreadProducts {
  bool fenced = false;
  size_t started = 0;          // products of its warpgroup that it has started
  std::vector<size_t> groups;  // of each open group: `started` at its commit
};
simt::PerThread<Warpgroup> g_warpgroups;  // in the place of its first thread
simt::PerThread<ThreadProducts> g_threads;

Warpgroup& warpgroup() { return g_warpgroups.of(simt::running_number() / kThreads * kThreads); }

// A tile in shared memory, as its descriptor says.
struct Tile {
  uint32_t address, leading, stride;  // bytes
  Swizzle swizzle;
  Major major;

  Tile(uint64_t descriptor, Major major_)
      : address(static_cast<uint32_t>(descriptor & 0x3fff) << 4),
        leading(static_cast<uint32_t>(descriptor >> 16 & 0x3fff) << 4),
        stride(static_cast<uint32_t>(descriptor >> 32 & 0x3fff) << 4),
        swizzle(static_cast<Swizzle>(descriptor >> 62)),
        major(major_) {}

  // Of element (mn, k), of `size` bytes.
  uint32_t address_of(int mn, int k, uint32_t size) const {
    const uint32_t row = row_bytes(swizzle);
    const auto along = static_cast<uint32_t>(major == Major::K ? k : mn) * size;
    const auto across = static_cast<uint32_t>(major == Major::K ? mn : k);
    uint32_t offset = across % 8 * row;
    if (swizzle == Swizzle::None && major == Major::MN)  // here, and only here, the two distances change places
      offset += along / row * stride + across / 8 * leading + along % row;
    else if (swizzle != Swizzle::None && major == Major::K)
      offset += along + across / 8 * stride;  // no further row: 32 bytes of k are within one
    else
      offset += along / row * leading + across / 8 * stride + along % row;
    return swizzled(address + offset, swizzle);
  }
};

void check_tile(const char* name, uint64_t descriptor, Site site) {
  const Tile tile(descriptor, Major::K);
  const uint32_t row = row_bytes(tile.swizzle), in_pattern = tile.address % (8 * row);
  if ((tile.swizzle != Swizzle::None && in_pattern >= row) || (descriptor >> 49 & 7) != 0)
    simt::throw_misuse(
        site, "a wgmma tile that is not aligned",
        fmt::format("{} at address {}: byte {} of eight rows of {} bytes, base offset {}", name, tile.address,
                    in_pattern, row, descriptor >> 49 & 7),
        "begin at a multiple of eight rows (align_shared), and go on along k within the first of them");
}

float widened(uint16_t bits, ScalarType dtype) {
  if (dtype == kBFloat16) return bits_float(uint32_t{bits} << 16);
  Half half;
  half.bits = bits;
  return static_cast<float>(half);
}

float value_at(const Tile& tile, int mn, int k, ScalarType dtype, unsigned rank, Site site) {
  const auto size = static_cast<uint32_t>(elementSize(dtype));
  const char* const place = simt::shared_pointer(tile.address_of(mn, k, size), rank, size, site);
  if (dtype == kFloat) {
    uint32_t bits;
    memcpy(&bits, place, 4);
    return bits_float(bits & ~0x1fffu);
  }
  uint16_t bits;
  memcpy(&bits, place, 2);
  return widened(bits, dtype);
}

// Element (row, k) of a as the registers of the warpgroup hold it.
float a_in_registers(const Product& product, int row, int k) {
  const bool tf32 = product.calls[0].dtype == kFloat;
  const int in_half = tf32 ? k % 4 : k % 8, half = tf32 ? k / 4 : k / 8;
  const int thread = row / 16 * 32 + row % 8 * 4 + (tf32 ? in_half : in_half / 2);
  const uint32_t bits = product.calls[static_cast<size_t>(thread)].a_registers[half * 2 + row / 8 % 2];
  if (tf32) return bits_float(bits & ~0x1fffu);
  return widened(static_cast<uint16_t>(in_half % 2 ? bits >> 16 : bits), product.calls[0].dtype);
}

// [anchor: multiply]
void multiply(Product& product) {
  const WgmmaCall& all = product.calls[0];  // what all threads agree on
  const int n = all.n, k = all.dtype == kFloat ? 8 : 16;
  const Tile tile_a(all.a, all.a_major), tile_b(all.b, all.b_major);
  std::vector<float> a(static_cast<size_t>(kM * k)), b(static_cast<size_t>(n * k));  // [64, k], [n, k]
  for (int p = 0; p < k; ++p) {
    for (int i = 0; i < kM; ++i)
      a[static_cast<size_t>(i * k + p)] = all.a_in_registers
                                              ? a_in_registers(product, i, p)
                                              : value_at(tile_a, i, p, all.dtype, product.rank, product.site);
    for (int j = 0; j < n; ++j)
      b[static_cast<size_t>(j * k + p)] = value_at(tile_b, j, p, all.dtype, product.rank, product.site);
  }
  for (int thread = 0; thread < static_cast<int>(kThreads); ++thread) {
    const WgmmaCall& call = product.calls[static_cast<size_t>(thread)];
    for (int e = 0; e < n / 2; ++e) {
      const int i = thread / 32 * 16 + thread % 32 / 4 + e / 2 % 2 * 8, j = e / 4 * 8 + thread % 4 * 2 + e % 2;
      double sum = all.accumulate ? call.d[e] : 0;
      for (int p = 0; p < k; ++p)
        sum += static_cast<double>(a[static_cast<size_t>(i * k + p)]) *
               static_cast<double>(b[static_cast<size_t>(j * k + p)]);
      call.d[e] = static_cast<float>(sum);
    }
  }
  product.done = true;
}

bool same(const WgmmaCall& x, const WgmmaCall& y) {
  return x.n == y.n && x.dtype == y.dtype && x.a_in_registers == y.a_in_registers && x.a == y.a && x.b == y.b &&
         x.a_major == y.a_major && x.b_major == y.b_major && x.accumulate == y.accumulate;
}

std::shared_ptr<Product> new_product(Warpgroup& group, Site site) {
  auto product = std::make_shared<Product>();
  product->site = site;
  product->rank = simt::block_rank();
  const std::shared_ptr<Product> before = group.products.empty() ? nullptr : group.products.back();
  group.products.push_back(product);
  simt::start({simt::AsyncOperation::Engine::Matrix, fmt::format("a wgmma started at {}:{}", site.file, site.line),
               [product, before] { return product->started == kThreads && (!before || before->done); },
               [product] { multiply(*product); }});
  return product;
}

}  // namespace

void start_wgmma(const WgmmaCall& call, Site site) {
  const simt::Unwatched unwatched;
  ThreadProducts& mine = g_threads.mine();
  Warpgroup& group = warpgroup();
  if (!mine.fenced)
    simt::throw_misuse(site, "wgmma without wgmma_fence()", fmt::format("thread {}", simt::thread_in_block()),
                       "call it before the first product, and after writing the registers of d or a");
  if (!call.a_in_registers) check_tile("a", call.a, site);
  check_tile("b", call.b, site);
  const std::shared_ptr<Product> product =
      mine.started < group.products.size() ? group.products[mine.started] : new_product(group, site);
  if (product->started > 0 && !same(product->calls[product->first], call))
    simt::throw_misuse(site, "the threads of a warpgroup start different products",
                       fmt::format("thread {} at {}:{}, others at {}:{}", simt::thread_in_block(), site.file,
                                   site.line, product->site.file, product->site.line),
                       "compute descriptors and sizes alike in all 128 threads");
  const unsigned thread = simt::running_number() % kThreads;
  if (product->started++ == 0) product->first = thread;
  product->calls[thread] = call;
  ++mine.started;
}

void wgmma_fence() {
  const simt::Unwatched unwatched;
  g_threads.mine().fenced = true;
}
void wgmma_commit() {
  const simt::Unwatched unwatched;
  g_threads.mine().groups.push_back(g_threads.mine().started);
}

void wgmma_wait_for_all_but(int groups, const char* file, int line) {
  const simt::Unwatched unwatched;
  ThreadProducts& mine = g_threads.mine();
  if (mine.groups.size() <= static_cast<size_t>(groups)) return;
  const size_t through = mine.groups[mine.groups.size() - static_cast<size_t>(groups) - 1];
  mine.groups.erase(mine.groups.begin(), mine.groups.end() - groups);
  if (through == 0) return;
  const std::shared_ptr<Product> last = warpgroup().products[through - 1];  // they are made in order
  simt::wait_until(
      {file, line}, [last] { return last->done; },
      [last] {
        return fmt::format("wgmma of {}:{}, which {} of 128 threads have started", last->site.file, last->site.line,
                           last->started);
      });
}

}  // namespace gb::cuda
