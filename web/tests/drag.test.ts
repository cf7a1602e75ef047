import { signal } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { Press } from "../src/games/common/pointer";
import { dragging, type Held } from "../src/games/kaosmos/drag";
import type { Model } from "../src/games/kaosmos/model";

/** A finger at a place. */
function finger(pointerId: number, x: number, y: number): PointerEvent {
  const currentTarget = { setPointerCapture() {} };
  return { pointerId, button: 0, clientX: x, clientY: y, currentTarget } as unknown as PointerEvent;
}

function hand() {
  const dropped = vi.fn();
  const tap = vi.fn();
  const model = {
    building: signal(true),
    drag: signal(null),
    over: signal(null),
    find: () => "b2",
    dropped,
  };
  const down = (event: PointerEvent): Held => ({ tile: `T0${event.pointerId}`, size: 40 });
  const { props } = new Press({ ...dragging(model as unknown as Model), down, tap });
  return { ...props, model, dropped, tap };
}

test("a tile is laid where the finger lets it go", () => {
  const { onPointerDown, onPointerMove, onPointerUp, dropped, tap } = hand();
  onPointerDown(finger(1, 0, 0));
  onPointerMove(finger(1, 50, 50));
  onPointerUp(finger(1, 50, 50));
  expect(dropped).toHaveBeenCalledExactlyOnceWith("T01", "b2");
  expect(tap).not.toHaveBeenCalled();
});

test("a finger that hardly moves taps", () => {
  const { onPointerDown, onPointerMove, onPointerUp, dropped, tap } = hand();
  onPointerDown(finger(1, 0, 0));
  onPointerMove(finger(1, 5, 5));
  onPointerUp(finger(1, 5, 5));
  expect(tap).toHaveBeenCalledOnce();
  expect(dropped).not.toHaveBeenCalled();
});

test("another finger does not disturb a drag", () => {
  const { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, dropped } = hand();
  onPointerDown(finger(1, 0, 0));
  onPointerMove(finger(1, 50, 50));
  onPointerDown(finger(2, 9, 9));
  onPointerMove(finger(2, 90, 90));
  onPointerCancel(finger(2, 90, 90));
  onPointerUp(finger(1, 50, 50));
  expect(dropped).toHaveBeenCalledExactlyOnceWith("T01", "b2");
});

test("a cancelled gesture drops nothing", () => {
  const { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, model, dropped } = hand();
  onPointerDown(finger(1, 0, 0));
  onPointerMove(finger(1, 50, 50));
  onPointerCancel(finger(1, 50, 50));
  expect(model.drag.value).toBeNull();
  onPointerUp(finger(1, 50, 50));
  expect(dropped).not.toHaveBeenCalled();
});

test("Enter on a button is a click; the click after a tap is ignored", () => {
  const click = vi.fn();
  const { props } = new Press({ down: () => true, click });
  props.onPointerDown(finger(1, 0, 0));
  props.onPointerUp(finger(1, 0, 0));
  props.onClick({ detail: 1 } as MouseEvent);
  expect(click).not.toHaveBeenCalled();
  props.onClick({ detail: 0 } as MouseEvent);
  expect(click).toHaveBeenCalledOnce();
});
