import { signal } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { Drag } from "../src/games/kaosmos/drag";
import type { Model } from "../src/games/kaosmos/model";

/** A finger at a place. */
function finger(pointerId: number, x: number, y: number): PointerEvent {
  const currentTarget = { setPointerCapture() {} };
  return { pointerId, button: 0, clientX: x, clientY: y, currentTarget } as unknown as PointerEvent;
}

function hand() {
  const dropped = vi.fn();
  const model = {
    building: signal(true),
    drag: signal(null),
    over: signal(null),
    find: () => "b2",
    dropped,
  };
  return { drag: new Drag(model as unknown as Model), model, dropped };
}

test("a tile is laid where the finger lets it go", () => {
  const { drag, dropped } = hand();
  drag.down(finger(1, 0, 0), "T01", 40);
  drag.move(finger(1, 50, 50));
  expect(drag.up(finger(1, 50, 50))).toBe(false);
  expect(dropped).toHaveBeenCalledExactlyOnceWith("T01", "b2");
});

test("another finger does not disturb a drag, nor does its being taken away", () => {
  const { drag, dropped } = hand();
  drag.down(finger(1, 0, 0), "T01", 40);
  drag.move(finger(1, 50, 50));
  drag.down(finger(2, 9, 9), "T02", 40);
  drag.move(finger(2, 90, 90));
  drag.cancel(finger(2, 90, 90));
  drag.up(finger(1, 50, 50));
  expect(dropped).toHaveBeenCalledExactlyOnceWith("T01", "b2");
});

test("a finger that the browser takes away drops nothing", () => {
  const { drag, model, dropped } = hand();
  drag.down(finger(1, 0, 0), "T01", 40);
  drag.move(finger(1, 50, 50));
  drag.cancel(finger(1, 50, 50));
  expect(model.drag.value).toBeNull();
  drag.up(finger(1, 50, 50));
  expect(dropped).not.toHaveBeenCalled();
});
