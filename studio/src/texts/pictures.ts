// What the page says about pictures of the graph.

import type { Texts } from ".";

export const pictures = {
  picture: ["Save the graph as a picture", "将图保存为图片"],
  pictureOf: ["It shows what the graph shows now, at tick", "内容为图的当前画面，帧："],
  pictureLooks: ["The picture as it will be", "图片预览"],
  dark: ["dark", "深色"],
  light: ["light", "浅色"],
  kPicture: ["save the graph as a picture", "将图保存为图片"],
} satisfies Texts;
