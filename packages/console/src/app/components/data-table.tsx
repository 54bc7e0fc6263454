import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { MoreRows } from './more-rows.tsx'
import { type MorePages, useLoadMore } from './use-load-more.ts'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** @param isNarrow Whether a column is hidden, so that this one may show its content */
  readonly cell: (row: Row, isNarrow: boolean) => ReactNode
  /** Width in rem, such as `10rem`. @default what the others leave, and at least 9rem */
  readonly width?: string
  /** Returns what the rows can be sorted by; the largest numbers and the first texts come first. */
  readonly sort?: (row: Row) => number | string
  /** Hidden where the table has no space for it; the last ones first. */
  readonly wideOnly?: boolean
}

/** A table that draws only the visible rows, and loads the next page when its end is near. */
export const DataTable = <Row,>({
  label,
  columns,
  rows: given,
  rowKey,
  rowHeight = 44,
  maxHeight = 'calc(100dvh - 14rem)',
  pages,
}: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowHeight?: number
  readonly maxHeight?: string
  /** For a list that is loaded in pages. */
  readonly pages?: MorePages | undefined
}) => {
  const [sorted, setSorted] = useState<{ readonly key: string; readonly isReversed: boolean }>()
  const rows = useMemo(
    () => sortedBy(given, columns.find(({ key }) => key === sorted?.key)?.sort, sorted?.isReversed),
    [given, columns, sorted],
  )
  const viewport = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const merged = useMergedRef(viewport, ref)
  const shown = fitting(columns, width)
  const isNarrow = shown.length < columns.length
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useLoadMore(pages ?? noPages, last >= rows.length - 10)
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <section ref={merged} style={{ maxHeight, overflow: 'auto' }} tabIndex={0} aria-label={label}>
        <Table
          stickyHeader
          highlightOnHover
          verticalSpacing={6}
          aria-rowcount={pages?.hasMore ? -1 : rows.length + 1}
          layout="fixed"
          miw={`${widthOf(shown)}rem`}
        >
          <Table.Thead>
            <Table.Tr aria-rowindex={1}>
              {shown.map(({ key, header, width: ofColumn, sort }) => {
                const isSorted = sort !== undefined && key === sorted?.key
                const isDescending = isSorted && sorted.isReversed !== isNumber(sort, rows)
                return (
                  <Table.Th
                    key={key}
                    w={ofColumn}
                    {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
                  >
                    {header === '' ? (
                      <VisuallyHidden>{key}</VisuallyHidden>
                    ) : sort === undefined ? (
                      header
                    ) : (
                      <UnstyledButton
                        fw={700}
                        fz="sm"
                        onClick={() => setSorted({ key, isReversed: isSorted && !sorted.isReversed })}
                      >
                        {header}
                        {isSorted && <span aria-hidden> {isDescending ? '↓' : '↑'}</span>}
                      </UnstyledButton>
                    )}
                  </Table.Th>
                )
              })}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {above > 0 && <tr aria-hidden style={{ height: above }} />}
            {items.map(({ index }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <Table.Tr key={rowKey(row)} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                  {shown.map(({ key, cell }) => (
                    <Table.Td key={key}>{cell(row, isNarrow)}</Table.Td>
                  ))}
                </Table.Tr>
              )
            })}
            {below > 0 && <tr aria-hidden style={{ height: below }} />}
          </Table.Tbody>
        </Table>
      </section>
      <MoreRows count={rows.length} pages={pages} />
    </div>
  )
}

const isNumber = <Row,>(sort: (row: Row) => number | string, rows: readonly Row[]): boolean =>
  rows[0] !== undefined && typeof sort(rows[0]) === 'number'

/** Returns rows with the largest numbers or the first texts first; reversed on request. */
const sortedBy = <Row,>(
  rows: readonly Row[],
  sort: ((row: Row) => number | string) | undefined,
  isReversed = false,
): readonly Row[] => {
  if (!sort) return rows
  const direction = isReversed ? -1 : 1
  return rows.toSorted((one, other) => {
    const [first, second] = [sort(one), sort(other)]
    const order =
      typeof first === 'number' && typeof second === 'number'
        ? second - first
        : String(first).localeCompare(String(second))
    return direction * order
  })
}

/** Returns the columns for which a table of this width has space; those that are not `wideOnly` stay. */
const fitting = <Row,>(columns: readonly Column<Row>[], width: number): readonly Column<Row>[] => {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const dropped = widthOf(columns) * rem > width ? columns.findLast(({ wideOnly }) => wideOnly) : undefined
  return dropped === undefined
    ? columns
    : fitting(
        columns.filter(column => column !== dropped),
        width,
      )
}

/** Returns the minimum width of columns in rem. */
const widthOf = (columns: readonly Pick<Column<never>, 'width'>[]): number =>
  columns.reduce((sum, { width = '9rem' }) => sum + Number.parseFloat(width), 0)

const noPages: MorePages = { hasMore: false, isLoadingMore: false, moreError: null, loadMore: () => undefined }
