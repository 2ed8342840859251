// Which schema type an IValue has, and which it may stand for.
#include "dispatcher/ivalue.h"

namespace gb {

TypePtr IValue::type() const {
  switch (tag_) {
    case Tag::None:
      return NoneType::get();
    case Tag::Tensor:
      return TensorType::get();
    case Tag::Double:
      return FloatType::get();
    case Tag::Int:
      return IntType::get();
    case Tag::Bool:
      return BoolType::get();
    case Tag::Device:
      return DeviceObjType::get();
    case Tag::String:
      return StringType::get();
    case Tag::List:
      return ListType::create(list_impl().elementType);
    case Tag::Storage:
      return StorageType::get();
    case Tag::Generator:
      return GeneratorType::get();
    case Tag::Stream:
      return StreamObjType::get();
    case Tag::Dict:
      return DictType::create(dict_impl().keyType, dict_impl().valueType);
    case Tag::Object:
      return AnyClassType::get();  // of which class, its dynamic type says: schemas know classes by name only
    case Tag::Tuple:
      break;
  }
  std::vector<TypePtr> parts;
  for (const IValue& v : toTupleRef().elements()) parts.push_back(v.type());
  return TupleType::create(std::move(parts));
}

bool IValue::has_type(const Type& wanted) const {
  switch (wanted.kind()) {
    case TypeKind::OptionalType:
      return isNone() || has_type(*wanted.containedType(0));
    case TypeKind::ListType:  // element by element, as kernels that take a vector or an ArrayRef read them
      if (!isList()) return false;
      for (const IValue& v : toListRef())
        if (!v.has_type(*wanted.containedType(0))) return false;
      return true;
    case TypeKind::TupleType: {
      if (!isTuple() || toTupleRef().size() != wanted.containedTypes().size()) return false;
      for (size_t i = 0; i < wanted.containedTypes().size(); ++i)
        if (!toTupleRef().elements()[i].has_type(*wanted.containedType(i))) return false;
      return true;
    }
    case TypeKind::ClassType:
      return isCustomClass();  // the kernel's own parameter type is checked when it is unpacked
    default:
      return type()->isSubtypeOf(wanted);
  }
}

}  // namespace gb
