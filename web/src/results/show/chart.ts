/**
 * `draw`: candles on a canvas. The only module that knows the chart library, so that nobody loads it
 * who sees no chart.
 */

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  HistogramSeries,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';

import { decimal } from '../read/figures';
import { stamp, wallSeconds } from '../read/moments';
import type { Candle, Candles } from '../read/prices';

/** A chart on the page. */
export interface Drawn {
  /** Takes the page's colours again, after they changed. */
  recolour(): void;
  remove(): void;
}

/** Draws candles into `place`; `point` is told which of them is pointed at. */
export function draw(
  place: HTMLElement,
  it: Candles,
  point: (candle: Candle | undefined) => void,
): Drawn {
  const byWall = new Map(it.candles.map((candle) => [wall(candle, it.zone), candle]));
  const chart = createChart(place, options(it, byWall));
  const prices = chart.addSeries(CandlestickSeries, { priceLineVisible: false });
  prices.setData(
    [...byWall].map(([time, { open, high, low, close }]) => ({ time, open, high, low, close })),
  );
  const volumes = it.candles.some((candle) => candle.volume > 0)
    ? withVolume(chart, byWall)
    : undefined;
  prices.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: volumes ? 0.28 : 0.08 } });
  chart.subscribeCrosshairMove(({ time }) => point(byWall.get(time as UTCTimestamp)));
  chart.timeScale().fitContent();
  const recolour = () => paint(place, chart, prices, volumes);
  recolour();
  return { recolour, remove: () => chart.remove() };
}

function wall(candle: Candle, zone: string): UTCTimestamp {
  return wallSeconds(new Date(candle.time * 1000), zone) as UTCTimestamp;
}

function withVolume(chart: IChartApi, byWall: ReadonlyMap<UTCTimestamp, Candle>) {
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  volumes.setData([...byWall].map(([time, { volume }]) => ({ time, value: volume })));
  return volumes;
}

function options(it: Candles, byWall: ReadonlyMap<UTCTimestamp, Candle>) {
  const clock = it.interval.endsWith('d') ? 'day' : 'minute';
  const said = (time: unknown) => {
    const candle = byWall.get(time as UTCTimestamp);
    return candle ? stamp(new Date(candle.time * 1000), it.zone, clock) : '';
  };
  return {
    autoSize: true,
    // The logo would bring a style sheet of its own, which the page's policy forbids: the view names
    // the library instead.
    layout: { attributionLogo: false },
    crosshair: { mode: CrosshairMode.Magnet },
    // The page scrolls with the wheel, also over a chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
    rightPriceScale: { borderVisible: false },
    timeScale: {
      borderVisible: false,
      timeVisible: clock === 'minute',
      secondsVisible: false,
      // However many there are, all of them are in sight at first.
      minBarSpacing: 0.01,
    },
    localization: {
      locale: 'en-GB',
      priceFormatter: (price: number) => decimal(price),
      timeFormatter: said,
    },
  } as const;
}

function paint(
  place: HTMLElement,
  chart: IChartApi,
  prices: ISeriesApi<'Candlestick'>,
  volumes: ISeriesApi<'Histogram'> | undefined,
): void {
  const style = getComputedStyle(place);
  const colour = (name: string, opacity = 1) => plain(style.getPropertyValue(name), opacity);
  const [up, down, line] = [colour('--ok'), colour('--bad'), colour('--line')];
  const ground = colour('--bg-raised');
  chart.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: ground },
      textColor: colour('--text-dim'),
      fontFamily: style.fontFamily,
      fontSize: 11,
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    crosshair: {
      vertLine: { color: colour('--line-strong'), labelBackgroundColor: colour('--text-dim') },
      horzLine: { color: colour('--line-strong'), labelBackgroundColor: colour('--text-dim') },
    },
  });
  // Hollow or full: up and down differ in more than colour.
  prices.applyOptions({
    upColor: ground,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
  volumes?.applyOptions({ color: colour('--line-strong', 0.5) });
}

/** A colour as the library can read it, however the style sheet wrote it. */
function plain(colour: string, opacity: number): string {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return '#888888';
  context.fillStyle = '#888888';
  context.fillStyle = colour.trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
}
