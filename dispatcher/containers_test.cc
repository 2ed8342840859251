// List and Dict: shared, typed, checked.
#include <doctest/doctest.h>

#include <algorithm>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

TEST_CASE("list: shared, typed, checked") {
  List<int64_t> a({1, 2});
  const List<int64_t> b = a;
  b.push_back(3);
  a[0] = 10;
  CHECK(a.vec() == std::vector<int64_t>{10, 2, 3});
  CHECK(a.is(b));
  CHECK_FALSE(a.copy().is(a));
  CHECK(a.copy() == a);
  CHECK(a.use_count() == 2);
  List<int64_t> moved = std::move(a);
  CHECK(moved.size() == 3);
  a.append(a);
  CHECK(moved.size() == 6);
  CHECK_THROWS_AS(moved.get(6), IndexError);
  CHECK(contains(error_of([&] { moved.set(9, 1); }), "index 9 of 6 elements"));
  const List<std::optional<Tensor>> tensors({std::nullopt, tensor()});
  CHECK_FALSE(tensors.get(0).has_value());
  CHECK(tensors.get(1)->defined());
  CHECK(IValue(tensors).isOptionalTensorList());
  CHECK(IValue(tensors).toOptionalTensorVector().size() == 2);
}

TEST_CASE("list: insert, erase and the algorithms of the standard library") {
  List<int64_t> a({5, 1, 4});
  CHECK(*a.insert(a.begin() + 1, 9) == 9);
  a.emplace(a.end(), 2);
  CHECK(a.vec() == std::vector<int64_t>{5, 9, 1, 4, 2});
  std::sort(a.begin(), a.end());
  CHECK(a.vec() == std::vector<int64_t>{1, 2, 4, 5, 9});
  CHECK(std::find(a.begin(), a.end(), 4) - a.begin() == 2);
  CHECK(*a.erase(a.begin()) == 2);
  CHECK(a.erase(a.begin() + 1, a.begin() + 3) == a.begin() + 1);
  CHECK(a.vec() == std::vector<int64_t>{2, 9});
  for (auto element : a) element = element + 1;
  CHECK(a.vec() == std::vector<int64_t>{3, 10});
  swap(a[0], a[1]);
  CHECK(a.extract(0) == 10);
  CHECK(a.get(0) == 0);
  a.pop_back();
  a.resize(3, 7);
  CHECK(a.vec() == std::vector<int64_t>{0, 7, 7});
  CHECK_THROWS_AS(a.erase(a.end()), IndexError);
  CHECK_THROWS_AS(a.insert(a.end() + 1, 1), IndexError);
  CHECK_THROWS_AS(a.erase(a.begin() + 2, a.begin() + 1), IndexError);
  CHECK_THROWS_AS(List<int64_t>().pop_back(), IndexError);
  CHECK(a.size() == 3);
}

TEST_CASE("list: of anything, and typed again") {
  const List<int64_t> ints({1, 2});
  const impl::GenericList any = impl::toList(ints);
  CHECK(any.get(1).toInt() == 2);
  any.push_back(3);
  CHECK(ints.size() == 3);
  CHECK(impl::toTypedList<int64_t>(any).is(ints));
  CHECK_THROWS_AS(impl::toTypedList<double>(any), TypeError);
  CHECK(impl::GenericList(StringType::get()).elementType()->str() == "str");
  CHECK_THROWS_AS(List<int64_t>(StringType::get()), TypeError);
}

TEST_CASE("list: in lists") {
  const IValue v(std::vector<std::vector<int64_t>>{{1, 2}, {}});
  CHECK(v.type()->str() == "int[][]");
  CHECK(v.to<std::vector<std::vector<int64_t>>>()[0][1] == 2);
  const auto lists = v.to<List<List<int64_t>>>();
  lists.get(1).push_back(8);
  CHECK(v.to<std::vector<std::vector<int64_t>>>()[1] == std::vector<int64_t>{8});
}

TEST_CASE("dict: in the order of insertion, shared, typed") {
  Dict<std::string, int64_t> d;
  CHECK(d.insert("b", 1).second);
  CHECK(d.insert("a", 2).second);
  CHECK_FALSE(d.insert("b", 7).second);
  CHECK(d.at("b") == 1);
  CHECK_FALSE(d.insert_or_assign("b", 3).second);
  const Dict<std::string, int64_t> same = d;
  same.insert("c", 4);
  std::string seen;
  for (const auto& entry : d) seen += entry.key() + std::to_string(entry.value()) + " ";
  CHECK(seen == "b3 a2 c4 ");
  CHECK(d.is(same));
  CHECK(d.use_count() == 2);
  d.find("a")->setValue(5);
  CHECK(same.at("a") == 5);
  CHECK(d.erase("b") == 1);
  CHECK(d.erase("b") == 0);
  d.erase(d.find("c"));
  CHECK(d.size() == 1);
  CHECK(d.contains("a"));
  CHECK(d.find("z") == d.end());
  CHECK_FALSE(d.copy().is(d));
  CHECK(d.copy() == d);
  d.clear();
  CHECK(d.empty());
  CHECK(error_of([&] { d.at("q"); }) ==
        "Dict: the key is not there\n  cause:   key \"q\" of 0 entries\n  repair:  ask contains() or find() first\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
}

TEST_CASE("dict: in an IValue, of anything, and typed again") {
  const Tensor t = tensor();
  Dict<std::string, Tensor> d;
  d.insert("x", t);
  const IValue v(d);
  CHECK(v.isGenericDict());
  CHECK(v.tagKind() == "GenericDict");
  CHECK(v.type()->str() == "Dict(str, Tensor)");
  CHECK(v.to<Dict<std::string, Tensor>>().is(d));
  CHECK(v.toGenericDict().at("x").toTensor().is_same(t));
  CHECK(v.overlaps(IValue(t)));
  CHECK(to_string(IValue(Dict<int64_t, bool>())) == "{}");
  CHECK(contains(error_of([&] { v.to<Dict<std::string, int64_t>>(); }),
                 "expected a `Dict(str, int)` but got a `Dict(str, Tensor)`"));
  CHECK(impl::toTypedDict<std::string, Tensor>(impl::toGenericDict(d)).is(d));
  const impl::GenericDict any(StringType::get(), IntType::get());
  any.insert("one", 1);
  any.insert("two", 2);
  CHECK(to_string(IValue(any)) == "{\"one\": 1, \"two\": 2}");
  CHECK((impl::toTypedDict<std::string, int64_t>(any).at("one") == 1));
  const impl::GenericDict reversed(StringType::get(), IntType::get());
  reversed.insert("two", 2);
  reversed.insert("one", 1);
  CHECK(IValue(any) == IValue(reversed));  // whatever the order
  CHECK(IValue::hash(IValue(any)) == IValue::hash(IValue(reversed)));
  CHECK(contains(error_of([&] { any.insert(IValue(std::vector<int64_t>{1}), 1); }), "Dict: a GenericList is no key"));
}
