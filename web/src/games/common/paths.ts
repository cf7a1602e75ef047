/** A polygon around 0, 0 as an SVG path; the first corner is above, unless it is turned. */
function polygon(
  corners: number,
  reach: (corner: number) => number,
  turned = -Math.PI / 2,
): string {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners + turned;
    return `${(reach(i) * Math.cos(angle)).toFixed(2)} ${(reach(i) * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}

export function star(points: number, outer: number, inner: number): string {
  return polygon(points * 2, (corner) => (corner % 2 ? inner : outer));
}
