import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails for violations that axe-core finds, and for a page that is wider than the screen. */
export const auditPage = async (page: Page): Promise<void> => {
  expect(await violationsIn(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** Widths of screens in CSS pixels; 640 is a screen of 1280 at a zoom of 200 %. */
const widths = [360, 640, 768, 800, 900, 1024, 1100, 1280, 1920]

/** Fails for a page or a column of a table that has no space at one of many widths. */
export const auditWidths = async (page: Page): Promise<void> => {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height })
    await expect.poll(() => page.evaluate(tooNarrow), { message: `at ${width} px` }).toEqual([])
  }
  await page.setViewportSize(size)
}

/** Runs in the page: the headings of columns without space, and the width by which the page is too wide. */
const tooNarrow = () => [
  ...[...document.querySelectorAll<HTMLElement>('thead th')]
    .filter(({ offsetWidth, offsetParent }) => offsetParent !== null && offsetWidth < 48)
    .map(({ textContent, offsetWidth }) => `${textContent}: ${offsetWidth} px`),
  ...(document.documentElement.scrollWidth > innerWidth ? [`page: ${document.documentElement.scrollWidth} px`] : []),
]

/** Fails for text without contrast: of the rules of axe-core only this one depends on the color scheme. */
export const auditContrast = async (page: Page): Promise<void> => {
  expect(await violationsIn(page, ['color-contrast'])).toEqual([])
}

const violationsIn = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  await page.evaluate(transitionsEnd)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(runAxe, rules)
}

/** Runs in the page: colors that still change have less contrast. */
const transitionsEnd = async () => {
  // They begin with the frame after the change.
  await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
  const running = document.getAnimations().filter(animation => animation instanceof CSSTransition)
  await Promise.allSettled(running.map(({ finished }) => finished))
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** Runs in the page. */
const runAxe = async (rules: readonly string[] | undefined): Promise<string[]> => {
  const { axe } = globalThis as unknown as { readonly axe: Axe }
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
