// POST /api/v1/callgroups: creates a call group; the answer is its identifier.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class CreateCallGroup {
    public static void main(String[] args) throws Exception {
        var url = System.getenv("TOCSIN_URL");
        var body = """
            {"name": "Standby", "userIds": [2, 3], "ackTimeout": 180}
            """;
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/callgroups"))
            .header("Authorization", "Bearer " + System.getenv("TOCSIN_TOKEN"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
