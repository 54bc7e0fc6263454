import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import { Alert, Box as Block, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { type EntityPlaces, entityPlaces } from '@sibyl/plugin-entities/records'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Note } from '../../components/note.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { useApi } from '../../session/console-context.tsx'
import { EntityLink } from '../parts/links.tsx'
import { drawMap, type MapCanvas } from './map-canvas.ts'
import { type Box, bboxOf, boxOfMap, extentOf, world } from './places.ts'

/** Entities with a position on a map, or their counts where there are many. */
export const EntityMap = ({ type }: { readonly type: string | undefined }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const [box, setBox] = useState(world)
  const [picked, setPicked] = useState<readonly string[]>([])
  const query = { bbox: bboxOf(box), type }
  const { data, error, refetch } = useQuery({
    queryKey: ['v1/places', query],
    queryFn: ({ signal }) => api.get('v1/places', { schema: entityPlaces, query, signal }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = data !== undefined && data.places.length + data.cells.length === 0
  const chosen = data?.places.filter(({ did }) => picked.includes(did)) ?? []
  return (
    <Stack gap="sm">
      {error && <ErrorState error={error} onRetry={refetch} />}
      <MapPart places={data} onMove={setBox} onPick={setPicked} />
      <Text size="xs" c="dimmed">
        {t('map.coarse')}
      </Text>
      {isEmpty && <NoPlaces isWorld={box === world} />}
      {data && data.cells.length > 0 && (
        <Text size="sm" role="status">
          {t('map.counted', { count: data.cells.reduce((sum, { count }) => sum + count, 0) })}
        </Text>
      )}
      {data && data.places.length > 0 && <PlaceList places={chosen.length > 0 ? chosen : data.places} />}
      <CommandHint commands={[curl('GET', api.url('v1/places', query))]} />
    </Stack>
  )
}

const MapPart = ({
  places,
  onMove,
  onPick,
}: {
  readonly places: EntityPlaces | undefined
  readonly onMove: (box: Box) => void
  readonly onPick: (dids: readonly string[]) => void
}) => {
  const { t } = useTranslation('twins')
  const isDark = useComputedColorScheme('light') === 'dark'
  const place = useRef<HTMLDivElement>(null)
  const [canvas, setCanvas] = useState<MapCanvas>()
  const [isUnavailable, setUnavailable] = useState(false)
  const hasFitted = useRef(false)
  useEffect(() => {
    const frame = place.current
    if (!frame) return undefined
    // A map that ends takes its classes off its element, which the next one may have already.
    const element = document.createElement('div')
    element.className = 'twins-map-canvas'
    frame.append(element)
    let drawn: MapCanvas | undefined
    let isGone = false
    drawMap(element, {
      isDark,
      label: t('map.label'),
      onMove: box => onMove(boxOfMap(box)),
      onPick,
      countLabel: count => t('map.cell', { count }),
    }).then(
      map => {
        drawn = map
        if (isGone) map.remove()
        else setCanvas(map)
      },
      () => setUnavailable(true),
    )
    return () => {
      isGone = true
      setCanvas(undefined)
      drawn?.remove()
      element.remove()
    }
  }, [isDark, onMove, onPick, t])
  useEffect(() => {
    if (!canvas || !places) return
    canvas.show(places)
    const extent = extentOf(places)
    if (hasFitted.current || !extent) return
    hasFitted.current = true
    canvas.fit(extent)
  }, [canvas, places])
  if (isUnavailable) return <Alert color="yellow">{t('map.unavailable')}</Alert>
  return <Block ref={place} className="twins-map" data-ready={canvas !== undefined} />
}

const PlaceList = ({ places }: { readonly places: EntityPlaces['places'] }) => {
  const { t } = useTranslation('twins')
  const columns: readonly Column<EntityPlaces['places'][number]>[] = [
    {
      key: 'name',
      header: t('entities.name'),
      cell: ({ did, type, name }) => <EntityLink did={did} type={type} name={name} />,
    },
    { key: 'type', header: t('entities.type'), width: '11rem', cell: ({ type }) => type },
    {
      key: 'position',
      header: t('map.position'),
      width: '11rem',
      wideOnly: true,
      cell: ({ latitude, longitude }) => `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`,
    },
  ]
  return <DataTable label={t('map.list')} columns={columns} rows={places} rowKey={({ did }) => did} maxHeight="20rem" />
}

const NoPlaces = ({ isWorld }: { readonly isWorld: boolean }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const location = { type: 'Point', coordinates: [36.82, -1.29] }
  return (
    <EmptyState icon={<MapPin size={28} aria-hidden />} title={t(isWorld ? 'map.none' : 'map.noneHere')}>
      <Note>{t('map.noneRemedy')}</Note>
      {isWorld && (
        <CommandHint
          commands={[curl('POST', api.url('v1/entities'), { type: 'CookStove', properties: { location } })]}
        />
      )}
    </EmptyState>
  )
}
