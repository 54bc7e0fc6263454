import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { ApiReference } from './api-reference.ts'
import { PageSource } from './page-source.ts'
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(PageSource), 'doc-after': () => h(ApiReference) }),
}

export default theme
