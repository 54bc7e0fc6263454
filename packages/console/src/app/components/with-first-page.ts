import type { InfiniteData } from '@tanstack/react-query'

/** A page of a list: its items in the member that the list is named by. */
export interface ListPage {
  readonly next?: string
  readonly [member: string]: unknown
}

export const itemsOf = <Item>(page: ListPage, name: string): readonly Item[] => (page[name] ?? []) as Item[]

/**
 * Returns a loaded list with its first page as the oracle returns it now. Later items stay as they were read; items that left
 * the range of the first page leave the list. Without a common item there is a gap, and the list begins again.
 *
 * @param keyOf Returns what identifies an item.
 */
export const withFirstPage = <Page extends ListPage>(
  data: InfiniteData<Page, string | undefined>,
  fresh: Page,
  name: string,
  keyOf: (item: unknown) => string,
): InfiniteData<Page, string | undefined> => {
  const items = itemsOf(fresh, name)
  // A page can end early without an item.
  if (items.length === 0 && fresh.next !== undefined) return data
  const keys = new Set(items.map(keyOf))
  const first = itemsOf(data.pages[0] ?? fresh, name)
  if (first.length === items.length && first.every((item, place) => keyOf(item) === keyOf(items[place]))) {
    return { pages: [fresh, ...data.pages.slice(1)], pageParams: data.pageParams }
  }
  const known = data.pages.flatMap(page => itemsOf(page, name))
  const places = new Map(known.map((item, place) => [keyOf(item), place]))
  const lastCommon = items.findLast(item => places.has(keyOf(item)))
  const isWhole = lastCommon === undefined || fresh.next === undefined || data.pages.length < 2
  const behind = isWhole ? [] : known.slice((places.get(keyOf(lastCommon)) ?? 0) + 1)
  const rest = behind.filter(item => !keys.has(keyOf(item)))
  const pages = [fresh]
  for (let from = 0; from < rest.length; from += items.length) {
    const part = rest.slice(from, from + items.length)
    const end = from + items.length < rest.length ? fresh : data.pages.at(-1)
    pages.push({ ...end, [name]: part } as Page)
  }
  return { pages, pageParams: pages.map((_, index) => pages[index - 1]?.next) }
}
