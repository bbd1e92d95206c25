// Just enough JSON for a plugin that builds with the C++ library alone.
#pragma once

#include <string>
#include <string_view>

namespace json {

// get returns the value of a key of the object that v begins with; "" if there is none.
std::string_view get(std::string_view v, std::string_view key);

// text returns the text that v begins with; "" if it is none.
std::string text(std::string_view v);

// quote returns a text as JSON.
std::string quote(std::string_view text);

}  // namespace json
