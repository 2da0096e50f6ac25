// The charts that Observable Plot draws. Only what is named here is in the bundle, and it is loaded when a chart is seen.
import { axisX, axisY, dot, gridY, lineY, plot, ruleX, ruleY, text } from '@observablehq/plot';

/**
 * @typedef {{ name: string, kind: string, values: number[], dashes?: string }} Line
 * @typedef {{ lines: Line[], start?: number, axes: { x: string, y: string }, dots?: boolean, mark?: number | null }} Lines
 *   start: x of the first value; dots: every value is marked; mark: an x to look at
 */

const COLOURS = /** @type {Record<string, string>} */ ({ query: 'var(--query)', key: 'var(--key)', value: 'var(--value)', score: 'var(--score)', output: 'var(--ink)' });

const HEIGHT = 250;
const MARGIN = { marginTop: 34, marginRight: 12, marginBottom: 38, marginLeft: 46 };

/** Lines over whole numbers. @param {Lines} lines @param {number} width in pixels @returns {SVGSVGElement} */
export function drawLines({ lines, start = 0, axes, dots = false, mark = null }, width) {
  const soft = { fill: 'var(--soft)', stroke: 'var(--line)', fontSize: 12 };
  const step = (width - MARGIN.marginLeft - MARGIN.marginRight) / Math.max(1, lines.length);
  const svg = /** @type {SVGSVGElement} */ (plot({
    width, height: HEIGHT, ...MARGIN,
    style: { background: 'none', fontFamily: 'inherit', fontSize: '12px', overflow: 'visible' },
    x: { label: null }, y: { label: null },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
      axisX({ ...soft, label: axes.x, ticks: Math.max(3, Math.floor(width / 80)), tickFormat: 'd', tickSize: 4 }),
      axisY({ ...soft, label: axes.y, ticks: 5, tickSize: 0, labelArrow: 'none' }),
      ruleY([0], { stroke: 'var(--soft)' }),
      ...(mark === null ? [] : [ruleX([mark], { stroke: 'var(--soft)', strokeDasharray: '3 3' })]),
      ...lines.flatMap(({ name, kind, values, dashes }, i) => {
        const points = values.map((y, x) => ({ x: x + start, y }));
        const stroke = COLOURS[kind];
        return [
          lineY(points, { x: 'x', y: 'y', stroke, strokeWidth: 2, strokeDasharray: dashes ?? 'none' }),
          ...(dots ? [dot(points, { x: 'x', y: 'y', fill: stroke, r: 3 })] : []),
          // The names stand in the picture itself, so that they are saved with it.
          ...(lines.length > 1 ? [text([name], { frameAnchor: 'top-left', textAnchor: 'start', dx: i * step, dy: -14, fill: stroke, fontWeight: 600 })] : []),
        ];
      }),
    ],
  }));
  // The page has the style of charts, so that its policy need not let in Plot's own; the whole is one image with a name.
  for (const style of svg.querySelectorAll('style')) style.remove();
  for (const group of svg.querySelectorAll('[aria-label]')) group.removeAttribute('aria-label');
  svg.removeAttribute('class');
  return svg;
}
