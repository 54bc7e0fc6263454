import { Table, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { MoreRows } from './more-rows.tsx'
import { type MorePages, useLoadMore } from './use-load-more.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Width in CSS, such as `10rem`. */
  readonly width?: string
  /** Hidden on screens narrower than 48 rem. */
  readonly wideOnly?: boolean
}

/** A table that draws only the visible rows, and loads the next page when its end is near. */
export const DataTable = <Row,>({
  label,
  columns,
  rows,
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
  const viewport = useRef<HTMLDivElement>(null)
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
      <section ref={viewport} style={{ maxHeight, overflow: 'auto' }} tabIndex={0} aria-label={label}>
        <Table
          stickyHeader
          highlightOnHover
          verticalSpacing={6}
          aria-rowcount={pages?.hasMore ? -1 : rows.length + 1}
          layout="fixed"
        >
          <Table.Thead>
            <Table.Tr aria-rowindex={1}>
              {columns.map(({ key, header, width, wideOnly }) => (
                <Table.Th key={key} w={width} {...(wideOnly && { visibleFrom: 'sm' })}>
                  {header === '' ? <VisuallyHidden>{key}</VisuallyHidden> : header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {above > 0 && <tr aria-hidden style={{ height: above }} />}
            {items.map(({ index }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <Table.Tr key={rowKey(row)} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                  {columns.map(({ key, cell, wideOnly }) => (
                    <Table.Td key={key} {...(wideOnly && { visibleFrom: 'sm' })}>
                      {cell(row)}
                    </Table.Td>
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

const noPages: MorePages = { hasMore: false, isLoadingMore: false, moreError: null, loadMore: () => undefined }
