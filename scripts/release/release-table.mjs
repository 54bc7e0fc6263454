/** Returns an aligned table of what is published, in that order. */
export const releaseTable = packages => {
  const rows = packages.map(({ manifest, sizes, faults }) => [
    manifest.name,
    manifest.version,
    String(sizes.files),
    `${(sizes.packed / 1024).toFixed(1)} kB`,
    String(Object.keys(manifest.exports ?? {}).length),
    faults.length === 0 ? 'ok' : `${faults.length} problems`,
  ])
  const head = ['package', 'version', 'files', 'size', 'exports', 'checks']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column].length)))
  const right = new Set([2, 3, 4])
  const line = row =>
    row
      .map((cell, column) => (right.has(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}
