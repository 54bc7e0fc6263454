import type { EntityPlaces } from '@sibyl/plugin-entities/records'
import {
  type GeoJSONSource,
  type LngLatBounds,
  Map as MapLibreMap,
  Marker,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import countriesUrl from 'world-atlas/countries-110m.json?url'
import { type Countries, countryShapes } from './country-shapes.ts'
import type { Box } from './places.ts'

export interface MapCanvasOptions {
  readonly isDark: boolean
  /** Label of the map for screen readers. */
  readonly label: string
  /** Called after every move, with the visible box. */
  readonly onMove: (box: Box) => void
  /** Called with the DIDs of the places at a clicked point. */
  readonly onPick: (dids: readonly string[]) => void
  /** Returns the label of the button of a cell. */
  readonly countLabel: (count: number) => string
}

const colors = {
  light: { sea: '#dfe9ee', land: '#f7f6f2', border: '#c3c7c4', place: '#0b665c', edge: '#ffffff' },
  dark: { sea: '#15191d', land: '#2a2f34', border: '#454c53', place: '#4ab3a5', edge: '#101113' },
} as const

/** Draws a map with the countries of Natural Earth in an element. Throws where WebGL is unavailable. */
export const drawMap = async (element: HTMLElement, options: MapCanvasOptions) => {
  setWorkerUrl(workerUrl)
  const countries = (await (await fetch(countriesUrl)).json()) as Countries
  const map = new MapLibreMap({
    container: element,
    style: styleOf(countries, options.isDark),
    center: [20, 5],
    zoom: 1,
    maxZoom: 14,
    attributionControl: false,
    renderWorldCopies: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  })
  map.touchZoomRotate.disableRotation()
  map.getCanvas().setAttribute('aria-label', options.label)
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl(), 'bottom-left')
  map.on('moveend', () => options.onMove(boxOf(map.getBounds())))
  map.on('click', 'places', ({ features = [] }) =>
    options.onPick(features.flatMap(({ properties }) => (typeof properties.did === 'string' ? [properties.did] : []))),
  )
  map.on('mouseenter', 'places', () => setCursor(map, 'pointer'))
  map.on('mouseleave', 'places', () => setCursor(map, ''))
  await new Promise<void>(done => map.once('load', () => done()))
  let markers: Marker[] = []
  const fit = ({ west, south, east, north }: Box) =>
    map.fitBounds(
      [
        [west, south],
        [east, north],
      ],
      { padding: 40, maxZoom: 9, animate: !matchMedia('(prefers-reduced-motion: reduce)').matches },
    )
  return {
    show(places: EntityPlaces): void {
      void map.getSource<GeoJSONSource>('places')?.setData(pointsOf(places))
      void map.getSource<GeoJSONSource>('cells')?.setData(cellsOf(places))
      for (const marker of markers) marker.remove()
      markers = places.cells.map(cell => {
        const button = document.createElement('button')
        button.type = 'button'
        button.className = 'twins-map-count'
        button.textContent = short.format(cell.count)
        button.ariaLabel = options.countLabel(cell.count)
        button.addEventListener('click', () => fit(cell))
        return new Marker({ element: button })
          .setLngLat([(cell.west + cell.east) / 2, (cell.south + cell.north) / 2])
          .addTo(map)
      })
    },
    fit,
    remove: (): void => map.remove(),
  }
}

/** A map on the page. */
export type MapCanvas = Awaited<ReturnType<typeof drawMap>>

const short = new Intl.NumberFormat('en', { notation: 'compact' })

const setCursor = (map: MapLibreMap, cursor: string): void => {
  map.getCanvas().style.cursor = cursor
}

const boxOf = (bounds: LngLatBounds): Box => ({
  west: bounds.getWest(),
  south: bounds.getSouth(),
  east: bounds.getEast(),
  north: bounds.getNorth(),
})

const nothing = { type: 'FeatureCollection' as const, features: [] }

const styleOf = (countries: Countries, isDark: boolean): StyleSpecification => {
  const { sea, land, border, place, edge } = colors[isDark ? 'dark' : 'light']
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: countryShapes(countries) },
      places: { type: 'geojson', data: nothing },
      cells: { type: 'geojson', data: nothing },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': land } },
      { id: 'borders', type: 'line', source: 'countries', paint: { 'line-color': border, 'line-width': 0.8 } },
      {
        id: 'cells',
        type: 'fill',
        source: 'cells',
        paint: { 'fill-color': place, 'fill-opacity': ['interpolate', ['linear'], ['get', 'share'], 0, 0.12, 1, 0.55] },
      },
      {
        id: 'places',
        type: 'circle',
        source: 'places',
        paint: { 'circle-color': place, 'circle-radius': 6, 'circle-stroke-color': edge, 'circle-stroke-width': 1.5 },
      },
    ],
  }
}

const pointsOf = ({ places }: EntityPlaces) => ({
  type: 'FeatureCollection' as const,
  features: places.map(({ did, longitude, latitude }) => ({
    type: 'Feature' as const,
    properties: { did },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  })),
})

const cellsOf = ({ cells }: EntityPlaces) => {
  const max = Math.max(1, ...cells.map(({ count }) => count))
  return {
    type: 'FeatureCollection' as const,
    features: cells.map(({ west, south, east, north, count }) => ({
      type: 'Feature' as const,
      properties: { share: Math.log1p(count) / Math.log1p(max) },
      geometry: {
        type: 'Polygon' as const,
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
    })),
  }
}
