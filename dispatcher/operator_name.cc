#include "dispatcher/operator_name.h"

#include <ostream>

namespace gb {

std::ostream& operator<<(std::ostream& out, const OperatorName& n) { return out << toString(n); }

}  // namespace gb
