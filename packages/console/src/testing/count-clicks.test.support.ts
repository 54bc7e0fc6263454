import type { Page } from 'playwright-core'

/** Counts the clicks of the mouse from now on. Returns a function that returns their number. */
export const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const counted = globalThis as { clicks?: number }
    if (counted.clicks === undefined) {
      const count = ({ detail }: MouseEvent) => {
        // A click by the keyboard has none.
        if (detail > 0) counted.clicks = (counted.clicks ?? 0) + 1
      }
      addEventListener('click', count, { capture: true })
    }
    counted.clicks = 0
  })
  return () => page.evaluate(() => (globalThis as { clicks?: number }).clicks ?? 0)
}
