#pragma once

#include <array>

/// How a value gets from one key to the next: one segment, u = 0 at the first key and 1 at the second.
///
/// Single precision, every operation rounded once, in the order of the formulas. That order, and that the
/// console's library uses these formulas at all, is an assumption: they are those of the 3D packages that the
/// animations came from, and of the console's public vector library. Sines and arc cosines are computed in
/// double and rounded to single, so that they do not depend on the host's C library.
namespace lockline::emu {

/// x y z w.
using Quaternion = std::array<float, 4>;

/// a + (b - a) u.
float linear(float a, float b, float u);

/// The cubic with the control points a, a_out, b_in, b: ((1-u)^3 a + 3 u (1-u)^2 a_out) + (3 u^2 (1-u) b_in +
/// u^3 b). Controls are points, not offsets (assumption).
float bezier(float a, float a_out, float b_in, float b, float u);

/// The cubic through a and b with the tangents a_out and b_in, by u (assumption: of the segment, not of
/// time): ((1 - s) a + s b) + ((u^3 - 2u^2 + u) a_out + (u^3 - u^2) b_in), s = 3u^2 - 2u^3.
float hermite(float a, float a_out, float b_in, float b, float u);

/// u after leaving the first key slowly over the part `out` of the segment and reaching the second slowly
/// over the part `in`; together more than 1 they are divided by their sum. With k = 1 / (2 - out - in):
/// u < out: k/out u^2; u < 1 - in: k (2u - out); else 1 - k/in (1 - u)^2. Negative and NaN parts count as 0.
float eased(float u, float out, float in);

/// b, or b plus or minus full turns, whichever is nearest to a, in degrees; b itself up to half a turn away.
float nearest_turn(float a, float b);

/// (1 - u) a + u b for the shorter way round (b negated when a.b < 0). Not of unit length; what makes a
/// matrix of it divides by its length.
Quaternion linear(const Quaternion& a, const Quaternion& b, float u);

/// Along the shorter great arc: (sin((1-u)t) a + sin(ut) b) / sin(t), t the angle between them; linear when
/// a.b > 0.99999 (the console's public quaternion library).
Quaternion slerp(const Quaternion& a, const Quaternion& b, float u);

/// slerp(slerp(a, b, u), slerp(a_out, b_in, u), 2u (1 - u)).
Quaternion squad(const Quaternion& a, const Quaternion& a_out, const Quaternion& b_in, const Quaternion& b,
                 float u);

}  // namespace lockline::emu
