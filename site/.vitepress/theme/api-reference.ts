import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, watch } from 'vue'

declare global {
  interface Window {
    SwaggerUIBundle?: (options: object) => unknown
  }
}

/** Swagger UI on the page `reference/api`, with the OpenAPI document that the build wrote. */
export const ApiReference = defineComponent(() => {
  const { page, isDark } = useData()
  const place = ref<HTMLElement>()
  const show = async () => {
    if (!place.value) return
    await Promise.all([loadStyle('swagger-ui.css'), loadScript('swagger-ui-bundle.js')])
    window.SwaggerUIBundle?.({
      url: asset('openapi.json'),
      domNode: place.value,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      validatorUrl: null,
    })
  }
  onMounted(() => {
    watch(place, () => void show(), { immediate: true })
    watch(isDark, dark => document.documentElement.classList.toggle('dark-mode', dark), { immediate: true })
  })
  return () =>
    page.value.relativePath === 'reference/api.md' ? h('div', { ref: place, class: 'api-reference' }) : undefined
})

const asset = (file: string): string => withBase(`/api-reference/${file}`)

const loadStyle = (file: string): Promise<unknown> => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = asset(file)
  return loadOnce(link, `link[href="${link.getAttribute('href')}"]`)
}

const loadScript = (file: string): Promise<unknown> => {
  const script = document.createElement('script')
  script.src = asset(file)
  return loadOnce(script, `script[src="${script.getAttribute('src')}"]`)
}

const loadOnce = (element: HTMLElement, selector: string): Promise<unknown> =>
  document.querySelector(selector)
    ? Promise.resolve()
    : new Promise((done, fail) => {
        element.addEventListener('load', done)
        element.addEventListener('error', fail)
        document.head.append(element)
      })
