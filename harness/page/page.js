'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const hex = n => '0x' + n.toString(16);
const frames = data.frames, entries = data.entries || [], map = data.map || [];
const state = {frame: -1, finding: -1, slots: new Set(), bytes: null, yaw: .6, pitch: .2, zoom: 1, playing: 0};

$('verdict').textContent = data.error ? 'Unusable' : data.verdict;
$('about').textContent = data.error ? data.file + ': ' + data.error :
  data.file + ', ' + hex(data.bytes) + ' bytes; ' + (data.not_emulated ? 'not emulated: ' + data.not_emulated : data.poses + ' poses, ' + frames.length + ' frames shown') +
  (data.left_out ? ', ' + data.left_out + ' frames left out' : '') + (data.failed ? '; fails at ' + data.threshold : '');
document.title = data.file + ' - Lockline';

// Findings

function element(tag, text, name) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
}

function addRow(list, label, text, name) {
  if (!text) return;
  list.append(element('dt', label), element('dd', text, name));
}

function slotsOf(finding) {
  const slots = new Set();
  for (const place of [finding.structure, ...(finding.related || [])]) {
    const match = /SK(1|2|Acc)\[\d+\]/.exec(place);
    const entry = match && entries.find(e => e.name === match[0]);
    if (!entry) continue;
    if (entry.slots) entry.slots.forEach(s => slots.add(s));
    else for (let i = 0; i < entry.count; ++i) slots.add(entry.slot + i);
  }
  return slots;
}

function pick(number) {
  state.finding = number;
  const f = data.findings[number];
  state.bytes = [f.begin, f.end];
  state.slots = slotsOf(f);
  document.querySelectorAll('.finding').forEach((e, i) => e.setAttribute('aria-pressed', i === number));
  if (f.first && f.first.frame < frames.length) show(f.first.frame); else draw();
  $('line').textContent = f.structure + '  ' + hex(f.begin) + '-' + hex(f.end) + (state.slots.size ? '  ' + state.slots.size + ' vertices' : '');
  document.body.dataset.bytes = hex(f.begin) + '-' + hex(f.end);
  document.body.dataset.vertices = state.slots.size;
}

(data.findings || []).forEach((f, i) => {
  const box = element('button', undefined, 'finding ' + f.severity);
  box.type = 'button';
  box.setAttribute('aria-pressed', false);
  box.append(element('b', f.severity + '  ' + f.rule + '  '), element('span', f.structure + '  ' + hex(f.begin) + '-' + hex(f.end), 'mono'));
  const list = element('dl');
  addRow(list, 'what', f.cause);
  if (f.first) addRow(list, 'when', 'first in frame ' + f.first.frame + ' (' + f.first.pose + '), in ' + f.frames + ' frames');
  addRow(list, 'in game', f.consequence);
  addRow(list, 'to mend it', f.fix);
  if (f.opinion) addRow(list, 'emulation', f.opinion.agreement.replace('_', ' ') + ': ' + f.opinion.text);
  addRow(list, 'Dolphin', f.dolphin_line, 'mono');
  box.append(list);
  box.addEventListener('click', () => pick(i));
  $('findings').append(box);
});
if (!data.error && !data.findings.length) $('findings').append(element('p', 'No findings.'));

// The map: one cell for each 32-byte line

const cell = 9, gap = 1;
const lines = map.length ? map[map.length - 1].end / 32 : 0;
const colourOf = {};
entries.forEach((e, i) => { colourOf[e.name] = 'hsl(' + (35 + i * 47 % 290) + ' 60% 55%)'; });

function columns() { return Math.max(8, Math.floor($('map').clientWidth / (cell + gap))); }

function runAt(offset) { return map.find(r => offset >= r.begin && offset < r.end); }

function fillOf(run) {
  if (run.overlap) return '#ff1744';
  if (!run.owners.length) return run.structures.length ? '#9e9e9e' : '#8883';
  const name = run.owners[0];
  return colourOf[name] || (name === 'memClr' ? '#607d8b' : '#26a69a');
}

function drawMap() {
  const canvas = $('map'), wide = columns(), scale = window.devicePixelRatio || 1;
  const high = Math.max(1, Math.ceil(lines / wide)) * (cell + gap);
  canvas.style.height = high + 'px';
  canvas.width = canvas.clientWidth * scale;
  canvas.height = high * scale;
  const g = canvas.getContext('2d');
  g.scale(scale, scale);
  for (const run of map) {
    g.fillStyle = fillOf(run);
    for (let line = run.begin / 32; line < run.end / 32; ++line) {
      const x = line % wide * (cell + gap), y = Math.floor(line / wide) * (cell + gap);
      g.fillRect(x, y, cell, cell);
      if (run.structures.length) { g.fillStyle = '#0008'; g.fillRect(x, y + cell - 3, cell, 3); g.fillStyle = fillOf(run); }
      if (isPicked(line)) { g.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--pick'); g.lineWidth = 2; g.strokeRect(x + 1, y + 1, cell - 2, cell - 2); }
    }
  }
}

function isPicked(line) {
  const begin = line * 32, at = data.positions_at;
  if (state.bytes && at + begin < state.bytes[1] && state.bytes[0] < at + begin + 32) return true;
  for (let slot = Math.floor(begin / 12); slot * 12 < begin + 32; ++slot) if (state.slots.has(slot)) return true;
  return false;
}

function lineUnder(event) {
  const box = $('map').getBoundingClientRect();
  const line = Math.floor((event.clientY - box.top) / (cell + gap)) * columns() + Math.floor((event.clientX - box.left) / (cell + gap));
  return line >= 0 && line < lines ? line : -1;
}

function describe(line) {
  const run = runAt(line * 32);
  if (!run) return '';
  const writers = run.owners.length ? run.owners.join(', ') : 'written by nothing';
  return '+' + hex(line * 32) + ' (block ' + hex(data.positions_at + line * 32) + '): ' + writers + (run.overlap ? '  OVERLAP' : '') +
    (run.structures.length ? '  over ' + run.structures.join(', ') : '') + (run.stored ? '' : '  scratch');
}

$('map').addEventListener('mousemove', e => { const line = lineUnder(e); if (line >= 0) $('line').textContent = describe(line); });
$('map').addEventListener('click', e => {
  const line = lineUnder(e);
  if (line < 0) return;
  const run = runAt(line * 32), entry = run && entries.find(x => x.name === run.owners[0]);
  state.bytes = [data.positions_at + line * 32, data.positions_at + line * 32 + 32];
  state.slots = new Set();
  if (entry) for (let i = 0; i < entry.count; ++i) state.slots.add(entry.slot + i);
  $('line').textContent = describe(line);
  draw();
});
$('map-about').textContent = lines ? lines + ' lines of 32 bytes; red: written by two; grey: structures; dim: nothing writes it' : 'this model has none';

// The mesh

const mesh = data.mesh, indexOf = new Map((data.drawn || []).map((slot, i) => [slot, i]));
const vertices = mesh ? (mesh.skinned ? mesh.slots.length : mesh.rest.length / 3) : 0;
let gl = null, program, buffers;

function positionsNow() {
  const out = new Float32Array(vertices * 3);
  if (!mesh.skinned) { out.set(mesh.rest); return out; }
  const raw = state.frame >= 0 && frames[state.frame].positions.length ? frames[state.frame].positions : data.bind;
  const unit = 1 / 2 ** mesh.shift;
  for (let v = 0; v < vertices; ++v) {
    const at = indexOf.get(mesh.slots[v]) * 3;
    for (let c = 0; c < 3; ++c) out[v * 3 + c] = raw[at + c] * unit;
  }
  return out;
}

function coloursNow() {
  const wrong = new Set(state.frame >= 0 ? frames[state.frame].wrong : []), out = new Float32Array(vertices * 3);
  for (let v = 0; v < vertices; ++v) {
    const slot = mesh.skinned ? mesh.slots[v] : -1;
    out.set(wrong.has(slot) ? [1, .25, .2] : state.slots.has(slot) ? [.35, .7, 1] : [.72, .74, .78], v * 3);
  }
  return out;
}

function shader(kind, text) {
  const s = gl.createShader(kind);
  gl.shaderSource(s, text);
  gl.compileShader(s);
  return s;
}

function startMesh() {
  if (!mesh || mesh.missing || !vertices) { $('mesh-about').textContent = data.error ? '' : 'no mesh: ' + (mesh ? mesh.missing : ''); return; }
  gl = $('mesh').getContext('webgl', {preserveDrawingBuffer: true});
  if (!gl) { $('mesh-about').textContent = 'this browser has no WebGL; the map and the findings need none'; return; }
  gl.getExtension('OES_element_index_uint');
  gl.getExtension('OES_standard_derivatives');
  program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER, 'attribute vec3 p,c;uniform mat4 m;varying vec3 k,w;void main(){k=c;w=(m*vec4(p,1.)).xyz;gl_Position=m*vec4(p,1.);gl_PointSize=7.;}'));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, '#extension GL_OES_standard_derivatives:enable\nprecision mediump float;varying vec3 k,w;uniform float flatness;void main(){if(flatness>.5){gl_FragColor=vec4(k,1.);return;}vec3 n=normalize(cross(dFdx(w),dFdy(w)));gl_FragColor=vec4(k*(.45+.55*abs(n.z)),1.);}'));
  gl.linkProgram(program);
  gl.useProgram(program);
  buffers = {p: gl.createBuffer(), c: gl.createBuffer(), t: gl.createBuffer(), h: gl.createBuffer()};
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.t);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(mesh.triangles), gl.STATIC_DRAW);
  $('mesh-about').textContent = mesh.triangles.length / 3 + ' triangles; red: not where its entry puts it; blue: selected';
}

let bounds = null;
function measure() {
  const p = (() => { const f = state.frame; state.frame = -1; const out = positionsNow(); state.frame = f; return out; })();
  const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
  for (let i = 0; i < p.length; ++i) { low[i % 3] = Math.min(low[i % 3], p[i]); high[i % 3] = Math.max(high[i % 3], p[i]); }
  const size = Math.hypot(...high.map((h, i) => h - low[i])) || 1;
  bounds = {centre: high.map((h, i) => (h + low[i]) / 2), size};
}

function matrix() {
  const canvas = $('mesh'), s = 1.6 * state.zoom / bounds.size, aspect = canvas.clientWidth / canvas.clientHeight;
  const cy = Math.cos(state.yaw), sy = Math.sin(state.yaw), cp = Math.cos(state.pitch), sp = Math.sin(state.pitch), [x, y, z] = bounds.centre;
  const r = [[cy, 0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]];
  const rows = [r[0].map(v => v * s / aspect), r[1].map(v => v * s), r[2].map(v => -v * s * .25)];
  const move = rows.map(q => -(q[0] * x + q[1] * y + q[2] * z));
  return new Float32Array([rows[0][0], rows[1][0], rows[2][0], 0, rows[0][1], rows[1][1], rows[2][1], 0, rows[0][2], rows[1][2], rows[2][2], 0, ...move, 1]);
}

function attribute(name, buffer, values) {
  const at = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
}

function drawMesh() {
  if (!gl) return;
  const canvas = $('mesh'), scale = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(.125, .14, .17, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  if (!bounds) measure();
  attribute('p', buffers.p, positionsNow());
  attribute('c', buffers.c, coloursNow());
  gl.uniformMatrix4fv(gl.getUniformLocation(program, 'm'), false, matrix());
  gl.enable(gl.DEPTH_TEST);
  gl.uniform1f(gl.getUniformLocation(program, 'flatness'), 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.t);
  gl.drawElements(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_INT, 0);
  drawMarks();
}

/// Wrong and selected vertices shine through the mesh.
function drawMarks() {
  const wrong = new Set(state.frame >= 0 ? frames[state.frame].wrong : []), marked = [];
  for (let v = 0; mesh.skinned && v < vertices; ++v) if (wrong.has(mesh.slots[v]) || state.slots.has(mesh.slots[v])) marked.push(v);
  if (!marked.length) return;
  gl.disable(gl.DEPTH_TEST);
  gl.uniform1f(gl.getUniformLocation(program, 'flatness'), 1);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.h);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(marked), gl.DYNAMIC_DRAW);
  gl.drawElements(gl.POINTS, marked.length, gl.UNSIGNED_INT, 0);
}

let drag = null;
$('mesh').addEventListener('pointerdown', e => { drag = [e.clientX, e.clientY]; $('mesh').setPointerCapture(e.pointerId); });
$('mesh').addEventListener('pointerup', () => { drag = null; });
$('mesh').addEventListener('pointermove', e => {
  if (!drag) return;
  state.yaw += (e.clientX - drag[0]) / 120;
  state.pitch = Math.max(-1.5, Math.min(1.5, state.pitch + (e.clientY - drag[1]) / 120));
  drag = [e.clientX, e.clientY];
  drawMesh();
});
$('mesh').addEventListener('wheel', e => { e.preventDefault(); state.zoom *= Math.exp(-e.deltaY / 500); drawMesh(); }, {passive: false});
$('mesh').addEventListener('keydown', e => {
  const turn = {ArrowLeft: [-.1, 0], ArrowRight: [.1, 0], ArrowUp: [0, -.1], ArrowDown: [0, .1]}[e.key];
  if (turn) { state.yaw += turn[0]; state.pitch += turn[1]; e.preventDefault(); }
  if (e.key === '+' || e.key === '-') state.zoom *= e.key === '+' ? 1.1 : 1 / 1.1;
  drawMesh();
});

// Frames

function show(frame) {
  state.frame = frame;
  $('frame').value = frame;
  const f = frames[frame];
  $('pose').textContent = f ? 'frame ' + frame + ', pose "' + f.pose + '"' + (f.stopped ? ', stopped by a fault' : '') + (f.wrong.length ? ', ' + f.wrong.length + ' vertices wrong' : '') : 'bind pose of the file';
  document.querySelectorAll('#strip button').forEach((b, i) => b.setAttribute('aria-pressed', i === frame));
  $('writes').textContent = !f ? '' : f.overwritten.length ? f.overwritten.map(w => hex(w.begin) + '-' + hex(w.end) + '  ' + w.author + '  ->  ' + w.structure).join('\n') : 'Nothing but positions, matrices and facial targets changed in frame ' + frame + '.';
  draw();
}

frames.forEach((f, i) => {
  const b = element('button', String(i), f.stopped ? 'stop' : f.overwritten.length ? 'hit' : '');
  b.type = 'button';
  b.title = f.pose + (f.overwritten.length ? ': ' + f.overwritten.length + ' writes outside the positions' : '');
  b.addEventListener('click', () => show(i));
  $('strip').append(b);
});
if (!frames.length) $('strip').textContent = 'No frame was run.';
$('frame').max = frames.length - 1;
$('frame').addEventListener('input', e => show(Number(e.target.value)));
$('play').addEventListener('click', () => {
  if (state.playing) { clearInterval(state.playing); state.playing = 0; $('play').textContent = 'Play'; return; }
  if (!frames.length) return;
  $('play').textContent = 'Stop';
  state.playing = setInterval(() => show((state.frame + 1) % frames.length), 250);
});

function draw() { drawMap(); drawMesh(); }
startMesh();
show(-1);
addEventListener('resize', draw);
document.body.dataset.ready = 'true';
