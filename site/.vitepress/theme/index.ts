import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { Layout } from './layout.ts'
import './style.css'

const theme: Theme = { extends: DefaultTheme, Layout }

export default theme
