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
