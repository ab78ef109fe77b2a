#pragma once

#include <string_view>

/// Private. The files of harness/page/, compiled in (CMakeLists.txt).
namespace lockline::harness {

extern const std::string_view page_html, page_css, page_js;

}  // namespace lockline::harness
