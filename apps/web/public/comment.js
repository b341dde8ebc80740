// The page on which the payer of one order says how it was. Everything that anybody typed is set as text; the server decides.
(function () {
  "use strict";
  var token = location.pathname.split("/").pop();
  var MOST = 6;
  var BYTES = 170000;
  var SIDE = 1280;
  var pictures = [];
  var $ = function (id) {
    return document.getElementById(id);
  };
  function say(text, bad) {
    $("said").textContent = text;
    $("said").className = bad ? "bad" : "";
  }
  function call(path, body) {
    var given = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    return fetch("/api/order-comments" + path + "?_t=" + Date.now(), given).then(
      function (answer) {
        return answer.json().then(function (data) {
          if (answer.ok) return data;
          throw new Error(data.message || "暂时不能提交，请稍后再试");
        });
      },
      function () {
        throw new Error("网络不通，请检查后重试");
      },
    );
  }
  function starsText(stars) {
    return "★★★★★".slice(0, stars) + "☆☆☆☆☆".slice(stars);
  }
  function picture(url, name) {
    var image = document.createElement("img");
    image.src = url;
    image.alt = name;
    return image;
  }
  function over(good, title) {
    $("form").hidden = true;
    $("over").hidden = false;
    $("mark").textContent = good ? "✓" : "!";
    $("mark").className = "mark " + (good ? "good" : "bad");
    $("result").textContent = title;
    say("", false);
  }
  function showWritten(written, title) {
    over(true, title);
    $("given").textContent = starsText(written.stars);
    $("given").setAttribute("aria-label", written.stars + " 星");
    $("words").textContent = written.said;
    $("reply").textContent = written.reply ? "商家回复：" + written.reply : "";
    $("kept").replaceChildren.apply(
      $("kept"),
      written.pictures.map(function (url, n) {
        return picture(url + "?size=middle", "图片 " + (n + 1));
      }),
    );
  }
  // Drawn anew, so that a picture is small and nothing but a picture: where it was taken does not go along.
  function shrink(file) {
    return createImageBitmap(file).then(
      function (drawn) {
        var scale = Math.min(1, SIDE / drawn.width, SIDE / drawn.height);
        var attempt = function (tries) {
          var canvas = document.createElement("canvas");
          canvas.width = Math.max(1, Math.round(drawn.width * scale));
          canvas.height = Math.max(1, Math.round(drawn.height * scale));
          canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
          return new Promise(function (resolve) {
            canvas.toBlob(resolve, "image/jpeg", 0.82);
          }).then(function (blob) {
            if (blob.size <= BYTES) return blob;
            if (tries === 0) throw new Error("图片过大，请换一张");
            scale *= 0.75;
            return attempt(tries - 1);
          });
        };
        return attempt(8);
      },
      function () {
        throw new Error("无法读取这张图片，请换一张 PNG 或 JPEG");
      },
    );
  }
  function base64Of(blob) {
    return blob.arrayBuffer().then(function (buffer) {
      var bytes = new Uint8Array(buffer);
      var text = "";
      for (var n = 0; n < bytes.length; n++) text += String.fromCharCode(bytes[n]);
      return btoa(text);
    });
  }
  function drawPictures() {
    $("pictures").replaceChildren.apply(
      $("pictures"),
      pictures.map(function (one, n) {
        var button = document.createElement("button");
        button.type = "button";
        button.setAttribute("aria-label", "移除图片 " + (n + 1));
        button.append(picture(one.shown, "图片 " + (n + 1)));
        button.onclick = function () {
          pictures.splice(pictures.indexOf(one), 1);
          drawPictures();
        };
        return button;
      }),
    );
    $("add").hidden = pictures.length >= MOST;
  }
  function freePlace() {
    for (var place = 0; place < MOST; place++)
      if (
        !pictures.some(function (one) {
          return one.place === place;
        })
      )
        return place;
    return -1;
  }
  function addPicture(file) {
    var place = freePlace();
    if (place < 0) return Promise.resolve();
    say("正在上传图片……", false);
    return shrink(file)
      .then(base64Of)
      .then(function (base64) {
        return call("/pictures", { token: token, place: place, base64: base64 }).then(function () {
          pictures.push({ place: place, shown: "data:image/jpeg;base64," + base64 });
          drawPictures();
          say("", false);
        });
      });
  }
  $("file").addEventListener("change", function () {
    var files = Array.prototype.slice.call($("file").files, 0, MOST - pictures.length);
    files
      .reduce(function (before, file) {
        return before.then(function () {
          return addPicture(file);
        });
      }, Promise.resolve())
      .catch(function (failure) {
        say(failure.message, true);
      })
      .then(function () {
        $("file").value = "";
      });
  });
  function chosen() {
    var input = document.querySelector("input[name=stars]:checked");
    return input ? Number(input.value) : 0;
  }
  document.querySelectorAll("input[name=stars]").forEach(function (input) {
    input.addEventListener("change", function () {
      document.querySelectorAll(".stars label").forEach(function (label, n) {
        label.className = n < chosen() ? "on" : "";
      });
    });
  });
  var busy = false;
  $("form").addEventListener("submit", function (event) {
    event.preventDefault();
    if (busy) return;
    var stars = chosen();
    if (stars === 0) return say("请先选择星级", true);
    busy = true;
    $("go").setAttribute("aria-disabled", "true");
    say("正在提交……", false);
    var places = pictures.map(function (one) {
      return one.place;
    });
    void call("", { token: token, stars: stars, said: $("text").value, places: places })
      .then(
        function () {
          showWritten(
            {
              stars: stars,
              said: $("text").value.trim(),
              reply: null,
              pictures: pictures.map(function (one) {
                return one.shown;
              }),
            },
            "谢谢你的评价",
          );
        },
        function (failure) {
          say(failure.message, true);
        },
      )
      .then(function () {
        busy = false;
        $("go").removeAttribute("aria-disabled");
      });
  });
  call("/page/" + token).then(
    function (page) {
      $("store").textContent = page.storeName;
      $("merchant").textContent = page.merchantName;
      $("brand").textContent = page.brandName + " 提供收款服务";
      $("what").textContent = page.subject + "，¥" + (page.paidCents / 100).toFixed(2);
      if (page.written) return showWritten(page.written, "你的评价");
      if (page.closed) return over(false, page.closed);
      say("", false);
      $("form").hidden = false;
    },
    function (failure) {
      over(false, failure.message);
    },
  );
})();
