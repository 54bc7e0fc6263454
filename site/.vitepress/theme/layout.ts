import { useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, watch } from 'vue'
import { ApiReference } from './api-reference.ts'
import { PageSource } from './page-source.ts'

/** The default layout with the API reference and the source of each page. */
export const Layout = defineComponent(() => {
  const { frontmatter } = useData()
  onMounted(() => {
    // The home page of the theme has no main landmark; the other pages have one inside.
    const mark = () =>
      document.getElementById('VPContent')?.setAttribute('role', frontmatter.value.layout === 'home' ? 'main' : 'none')
    watch(() => frontmatter.value.layout, mark, { immediate: true, flush: 'post' })
  })
  return () => h(DefaultTheme.Layout, null, { 'doc-footer-before': () => [h(ApiReference), h(PageSource)] })
})
